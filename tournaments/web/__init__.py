"""Everything that speaks HTTP: pages, the desk, the REST API, and the one door they share."""
