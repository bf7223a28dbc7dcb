"""Formatting texts as sentences in a language. Only this package depends on ICU."""
