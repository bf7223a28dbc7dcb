"""Checks of what a game brings beside its rules: contract, texts, paragraphs, layout, stored matches, numbers, imports."""
