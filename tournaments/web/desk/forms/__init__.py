"""The forms of the desk."""
