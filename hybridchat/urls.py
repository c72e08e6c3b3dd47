"""Where everything is."""

from django.contrib import admin
from django.urls import include, path

from hybridchat.health import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health/", health, name="health"),
    path("study/", include("hybridchat.research.studies.urls")),
    path("mine/", include("hybridchat.effects.urls")),
    path("", include("hybridchat.chat.urls")),
]
