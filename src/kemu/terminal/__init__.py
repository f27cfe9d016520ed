"""Play in a terminal: pictures for the eye, plain lines for screen readers and pipes."""
