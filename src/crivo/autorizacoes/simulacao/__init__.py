"""What a draft would have decided: the rules evaluated by columns over many pedidos at once. Source: design, "The workbench"."""
