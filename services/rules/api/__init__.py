"""The gRPC services of the rules server: requests in, responses out."""
