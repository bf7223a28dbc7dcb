"""Finding, exporting and importing matches: where a match is, `foldtable export`, `foldtable import`."""
