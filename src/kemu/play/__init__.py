"""A match as a value: `decide` makes an entry of a command, `evolve` makes the next table of an entry."""
