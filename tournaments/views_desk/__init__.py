"""Pages of the desk. Each asks a selector, calls one service, and writes nothing itself."""
