"""A match as an export document, and its verification."""
