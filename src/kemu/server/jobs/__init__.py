"""What a server does by itself: clocks, bots, ratings and upkeep."""
