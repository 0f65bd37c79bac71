"""The court's verbs. Each takes an `Actor`, checks the permission, takes the gate, looks, writes, and logs."""
