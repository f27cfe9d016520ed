"""Study: reviews, puzzles, explorer and variation trees; no web in it."""
