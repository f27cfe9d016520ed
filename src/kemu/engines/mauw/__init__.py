"""The engine of MAUW: kernel, what a seat can know, information-set search and the greedy player."""
