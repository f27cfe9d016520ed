"""The HTTP API: its wire types, its routes, and the files of the browser client."""
