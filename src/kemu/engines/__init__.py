"""Engines: solvers and searches, one folder for each game."""
