"""Connections, pools and records of Postgres, for every service."""
