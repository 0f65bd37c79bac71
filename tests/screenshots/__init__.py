"""Pictures of every page, for looking at."""
