"""The small networks that run here, on NumPy alone, and the weights they are read from."""
