"""Their own format in: a document by administradora that says where in what it sends each field of a pedido stands."""
