"""Bringing data of any kind: files are read, columns recognised, cells made values, rows stored, versions kept."""
