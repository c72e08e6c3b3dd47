"""The site: settings, urls, the ASGI application, Celery, the embedded services."""

from hybridchat.celery import app as celery_app

__all__ = ["celery_app"]
