"""Checks of the rules: what the functions of a game do in whole random matches. One check in each file."""
