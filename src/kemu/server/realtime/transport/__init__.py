"""How bytes get to the connections: WebSocket frames, and sockets handed over between workers."""
