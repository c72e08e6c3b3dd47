"""All that is known of a corpus: its tables and columns, the values they hold, and the places they name."""
