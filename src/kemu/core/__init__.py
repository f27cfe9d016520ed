"""The vocabulary that every game, bot and table speaks; standard library only."""
