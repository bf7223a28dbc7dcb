"""Words: catalogues in four languages, how records become texts, and a drawing for the terminal."""
