"""Pages of games that anybody, or a player by his link, may open."""
