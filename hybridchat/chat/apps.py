"""The chat's Django app."""

from django.apps import AppConfig


class ChatConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "hybridchat.chat"
    label = "chat"
    verbose_name = "Conversations"
