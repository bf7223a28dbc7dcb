"""What is in the box of Al-Rashid: pieces, areas, offices, goods, and their numbers."""
