"""Text that people write and others read: names, titles, labels, ids of players. One rule for all of it, in `rule.py`."""
