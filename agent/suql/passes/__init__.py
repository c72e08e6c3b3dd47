"""What is done to a query before it runs, one pass a file. Each keeps the meaning of the query."""
