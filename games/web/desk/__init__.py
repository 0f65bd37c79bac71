"""Pages where arbiters work on sheets, results, adjournments and clocks."""
