"""What travels over REST: requests are read into these structs, answers are written from them.

The OpenAPI document is made from the same structs, so it cannot say something else. A game's own data (`Raw`) passes
through as the bytes the rules server gave; the document describes it with that game's published schemas.
"""
