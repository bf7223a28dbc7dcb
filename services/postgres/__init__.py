"""How every service reaches Postgres."""
