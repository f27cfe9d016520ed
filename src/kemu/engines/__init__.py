"""Compiled kernels, solvers and searches, one folder per game; importing this loads none of them."""
