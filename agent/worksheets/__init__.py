"""Worksheets: what a conversation can get done, under rules that are declared (Genie Worksheets).

What is declared    specification, formats, expressions, linter, preview, applications, actions
What is known       state, instances, entailment, rules, certainty
What is said        statements, spelling; values, wellformed, checking
What it changes     update: draft, placing, answering
What the agent does policy: agenda, turning, calling, asking, offering
How it is told      acts, verbalise, wording, view

A turn (`stages.take_turn`) is `update.apply`, then `policy.decide`. All are functions of a state to the next, and use
no model.
"""
