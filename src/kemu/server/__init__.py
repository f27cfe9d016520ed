"""Live play over HTTP and WebSocket: save, then tell."""
