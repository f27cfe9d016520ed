"""Study: variation trees, studies, and what was played from a position; no web in it."""
