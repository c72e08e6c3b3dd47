"""Annotation: schemes with guidelines, items handed out to annotators, agreement, adjudication, and figures."""
