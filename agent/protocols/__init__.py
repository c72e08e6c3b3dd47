"""What the engine asks of others: readers of texts, embedders, logs of calls; and the exceptions it raises."""
