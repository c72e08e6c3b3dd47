"""The actions of each application, as worksheets call them."""
