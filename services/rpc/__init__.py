"""What every gRPC process shares: refusals, deadlines, health, drain."""
