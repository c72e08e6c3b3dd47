"""Understanding a question over any catalogue: a network links its words to columns, rules compose the query.

Nothing here knows a corpus. What is known of one comes from its catalogue and its stored values.
"""
