"""The account API: tenants, API keys, what a credential permits."""
