"""Pure rules: standard library and msgspec, nothing of ours from outside this folder."""
