"""The platform service, which needs no rules: accounts, the match directory, live feeds. A library, and a process."""
