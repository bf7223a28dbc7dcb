"""Commands that forget: `foldtable players` and `foldtable delete`."""
