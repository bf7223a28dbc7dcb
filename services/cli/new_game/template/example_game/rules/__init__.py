"""The rulebook: one file for each chapter. A rule judges an action, and records what happens as events."""
