"""A tenant's matches, filtered, ordered, a page at a time."""
