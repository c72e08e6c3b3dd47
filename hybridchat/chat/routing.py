"""Where the websocket is."""

from django.urls import path

from hybridchat.chat.consumers import ChatConsumer

websocket_urlpatterns = [path("ws/chat/<uuid:conversation>/", ChatConsumer.as_asgi())]
