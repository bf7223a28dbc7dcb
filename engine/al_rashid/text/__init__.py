"""The words of Al-Rashid, and its view drawn for the terminal."""
