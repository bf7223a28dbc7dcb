"""Tables for people: what a page draws, where it is, and how actions are chosen."""
