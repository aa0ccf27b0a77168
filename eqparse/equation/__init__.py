"""What is said of a text: equations, their trees, when two are the same, and how they print."""
