"""Certificates of what is proved."""
