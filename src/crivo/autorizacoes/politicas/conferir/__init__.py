"""What is wrong with a política before it decides anything: each finding with the smallest pedido that shows it."""
