"""The Django app of the effects."""

from django.apps import AppConfig


class EffectsConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "hybridchat.effects"
    label = "effects"
    verbose_name = "Bookings, enrollments and tickets"
