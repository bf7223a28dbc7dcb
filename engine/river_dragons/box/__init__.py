"""What is in the box of River Dragons: the board, its sites and distances, the cards, and their numbers."""
