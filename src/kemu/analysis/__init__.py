"""Looking at positions with an engine: reviews, engine lines, the explorer and puzzles; no web in it."""
