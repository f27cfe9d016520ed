"""A game with faults in its rules, for the server to survive."""
