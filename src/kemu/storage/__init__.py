"""What a server keeps, in SQLite or PostgreSQL: a module for each aggregate, and the journal of live documents."""
