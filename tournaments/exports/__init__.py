"""The ledger as files: lists for spreadsheets, the whole event as JSON, report files, the printed results book."""
