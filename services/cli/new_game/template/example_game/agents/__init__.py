"""What programs need that play this game: an answer for absent players, an evaluation, actions and views as numbers."""
