"""What `crivo doutor` looks at: a file for each thing, which finds out and then judges what it found."""
