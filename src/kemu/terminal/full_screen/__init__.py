"""Play on a full screen, with keys and mouse, through Textual."""
