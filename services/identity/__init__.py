"""Who calls and what a credential allows: tenants, API keys, scopes, match tokens and the keys that sign them."""
