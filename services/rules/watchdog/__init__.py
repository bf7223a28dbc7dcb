"""Rules that do not return: a process beside the rules server notices them, says which call it was, and ends the server."""
