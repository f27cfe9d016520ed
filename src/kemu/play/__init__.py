"""A match: players at their seats, the dealer, and what people may do that the rules do not know."""
