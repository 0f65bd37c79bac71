"""Pages of organizers and arbiters."""
