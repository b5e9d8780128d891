"""What is asked of a proponente beside what they sent: papers or a clarification, by a letter, within business days."""
