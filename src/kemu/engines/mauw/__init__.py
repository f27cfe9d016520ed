"""The engine of MAUW: kernel, information sets, tree search and the greedy player."""
