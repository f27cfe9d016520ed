"""Play in a terminal: drawings in colour, or plain lines for screen readers and pipes."""
