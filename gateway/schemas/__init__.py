"""The types of the REST API: pydantic models for requests, msgspec structs for responses.

The OpenAPI document is generated from both, so it cannot differ from them. A game's own data (`Raw`) passes through as the
bytes that the rules server sent; the document describes it with that game's published schemas.
"""
