"""Work that is split into leaves, on this machine or on many, with the results in a database."""
