#!/usr/bin/env python
"""Django's command line. Every command that may need PostgreSQL or Redis starts them, or shares them."""

import os
import sys

from django.core.management import execute_from_command_line

from hybridchat import services

NEED_NOTHING = {"help", "version", "--help", "-h", "--version", "check", "collectstatic", "startapp", "diffsettings"}


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")
    if any("\ud800" <= character <= "\udfff" for argument in sys.argv for character in argument):
        sys.exit("An argument is not valid UTF-8.")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command not in NEED_NOTHING and not {"-h", "--help"} & set(sys.argv):
        services.start()
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
