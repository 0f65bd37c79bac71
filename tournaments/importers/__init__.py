"""Files from outside, read to values. Nothing here writes to the ledger: the services do, after a person said yes."""
