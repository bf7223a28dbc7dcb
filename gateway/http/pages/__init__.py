"""Pages for people: HTML of the gateway's own, which loads nothing else, and the reference front end."""
