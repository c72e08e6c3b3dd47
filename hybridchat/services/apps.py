"""Makes `manage.py run` known to Django."""

from django.apps import AppConfig


class ServicesConfig(AppConfig):
    """The embedded servers and the command that runs the whole site on a laptop. No models."""

    name = "hybridchat.services"
    label = "services"
