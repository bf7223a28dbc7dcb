"""`foldtable up`: the whole system on this machine, started, watched and stopped in order."""
