"""The words of River Dragons, and its view drawn for the terminal."""
