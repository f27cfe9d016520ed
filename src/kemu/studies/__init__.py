"""Studies: shared documents of chapters, variations and comments."""
