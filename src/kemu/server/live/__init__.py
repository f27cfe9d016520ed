"""Live matches: an actor for each match, the registry of all actors, and the sockets."""
