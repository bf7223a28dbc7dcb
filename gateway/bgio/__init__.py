"""boardgame.io's lobby API, served on top of our own."""
