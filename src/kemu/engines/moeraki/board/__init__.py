"""The rules of Moeraki-Kemu on 64-bit boards."""
