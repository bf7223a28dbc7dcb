"""How the messages of the gRPC contracts and the types of REST correspond: by name, by description, as mirrors."""
