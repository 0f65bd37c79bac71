"""Documents of the court as files."""
