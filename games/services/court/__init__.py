"""Write services of the court: incidents, rulings, appeals, panels, votes, decisions."""
