"""What an audience may see: views, legal actions, determinizations."""
