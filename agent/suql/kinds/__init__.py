"""What `=` means on each kind of column, one module a kind.

`comparisons` finds the comparisons of columns with words in a query and brings their many spellings to one form; a
kind's module turns one such comparison into a condition that PostgreSQL runs.
"""
