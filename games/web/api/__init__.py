"""The REST API of games and of the court."""
