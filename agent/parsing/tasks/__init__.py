"""Stage 1 for worksheets with no language model: what a message does to the tasks that are open, or could be."""
