"""What is read of the ledger, each page's data in a fixed number of queries; nothing here writes or locks."""
