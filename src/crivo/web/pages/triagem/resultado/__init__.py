"""The result of an edital: the draft, what was published, two of them side by side, publishing, and projects that withdraw."""
