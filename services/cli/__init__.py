"""The command line, `foldtable`. `main.py` lists the commands; each has a module or a folder."""
