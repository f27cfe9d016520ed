"""Who sends a request: guests, accounts, tokens, and the origin of a page."""
