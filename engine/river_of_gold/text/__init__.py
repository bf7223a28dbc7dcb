"""The words of River of Gold, and its view drawn for the terminal."""
