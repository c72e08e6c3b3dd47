"""What the chat gets done: reservations, enrollments and tickets, and the actions that make them."""
