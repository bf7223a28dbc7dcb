"""The webhook API: endpoints, deliveries, and the feed of events, as gRPC requests and responses."""
