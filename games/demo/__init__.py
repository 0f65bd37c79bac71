"""The demo event and its games."""
