"""Live play over HTTP and WebSocket."""
