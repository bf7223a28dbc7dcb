"""What is not a game: accounts, the match directory, live feeds. A library, and a process that serves it."""
