"""Learning from games of the search against itself."""
