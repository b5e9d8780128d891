"""A pedido made on a form: procedures searched, what the regra asks shown, and one decision however often it is sent."""
