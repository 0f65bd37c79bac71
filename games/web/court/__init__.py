"""Pages of incidents, rulings and appeals."""
