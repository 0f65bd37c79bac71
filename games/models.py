"""The court's tables."""
