"""A match as a whole: export, import, replay."""
