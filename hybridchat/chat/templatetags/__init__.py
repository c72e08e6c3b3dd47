"""What the chat's templates need beyond Django's own tags."""
