"""Stored matches replayed by the installed rules, or by other rules than their own: what they would have decided otherwise."""
