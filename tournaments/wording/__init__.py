"""Codes and values as words in the reader's language."""
