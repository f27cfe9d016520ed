"""Moeraki-Kemu by Stefan Kiehl (Kiehly, 2011)."""
