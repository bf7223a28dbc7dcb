"""Words as data: a text is a key of a catalogue and its arguments; whoever shows it formats it in the reader's language."""
