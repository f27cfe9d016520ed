"""Live play over HTTP and WebSocket."""

from kemu.core.parts import require

require("server")
