"""Identity of requests: guests, accounts, tokens, and the origin of a page."""
