"""Translation between protobuf messages and the structs and models of REST. A game's own data passes through."""
