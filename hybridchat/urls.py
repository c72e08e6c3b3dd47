"""Where everything is."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

from hybridchat.health import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health/", health, name="health"),
]
if find_spec("hybridchat.chat.urls"):
    urlpatterns.append(path("", include("hybridchat.chat.urls")))
