"""Additions to uvicorn: bounds on heads, pipelines and time, one write per response, event streams without a task."""
