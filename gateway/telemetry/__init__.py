"""Logs, metrics, trace ids."""
