"""Tournaments: round robins, Swiss systems, correspondence leagues and rounds of tables, as frozen values."""
