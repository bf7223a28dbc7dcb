"""`foldtable new-game`: writes a complete small game as a package of its own, made from `template`."""
