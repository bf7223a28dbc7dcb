"""What is in the box of River of Gold: board, buildings, customers, masteries, patrons, and their numbers."""
