"""Games and bots of an author whom Kemu does not know."""
