"""The log: the rows of a match, the protocol of a log, the hash chain. `postgres/` stores it,
`export/` writes it to a document.
"""
