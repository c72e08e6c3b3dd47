"""The staff's side of the site: the admin's look and order."""
