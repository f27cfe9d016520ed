"""What the server sends to others by itself: push messages, e-mail and webhooks."""
