"""Where matches are kept: in memory, or in SQL (SQLite, PostgreSQL)."""
