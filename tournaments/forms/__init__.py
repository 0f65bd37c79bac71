"""Forms of the desk: they read what was typed into plain values. Nothing here writes; the services do."""
