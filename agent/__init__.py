"""The engine of hybridchat: plain typed Python, with no Django import anywhere in it."""
