"""Codes of the court and of the rules as words in the reader's language."""
