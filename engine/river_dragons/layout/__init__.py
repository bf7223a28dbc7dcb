"""Where things are on the table, and how actions are presented to a person who chooses one."""
