"""The engine of Moeraki-Kemu: kernel, threat search, full search and proofs."""
