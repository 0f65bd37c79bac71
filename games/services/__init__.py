"""The court's verbs."""
