"""The kit: what every game must have, checked for any game that is installed."""
