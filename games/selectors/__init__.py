"""The court's reads. Nothing here writes."""
