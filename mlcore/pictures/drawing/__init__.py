"""What the pictures of several chapters are drawn with: one module for each thing to draw."""
