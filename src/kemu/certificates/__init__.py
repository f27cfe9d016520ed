"""Certificates: proofs about the games as files, and the verifiers that check them without any other part of Kemu."""
