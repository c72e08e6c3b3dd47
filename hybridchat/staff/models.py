"""None: but only an app with this module is told that a migration is through (`hybridchat.staff.apps`)."""
