"""Every error as a problem document (RFC 9457), and the one table of reasons."""
