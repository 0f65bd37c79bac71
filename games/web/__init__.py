"""The pages and the REST API of games and of the court."""
