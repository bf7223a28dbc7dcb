"""Vacations that players or their platform announce: their rows, their bounds, and the days of a month that a player may take."""
