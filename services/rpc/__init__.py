"""What every gRPC process shares: the server, TLS, health, drain, refusals, page tokens, messages."""
