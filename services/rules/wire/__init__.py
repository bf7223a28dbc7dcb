"""Rows and states as protobuf messages and back."""
