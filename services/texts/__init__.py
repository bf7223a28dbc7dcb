"""Texts as sentences, for readers of one language. Only this folder depends on ICU."""
