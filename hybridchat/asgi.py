"""The site for an ASGI server: HTTP by Django, websockets by the chat's consumer, from this site's own pages only."""

import os
import sys

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

from hybridchat import services
from hybridchat.chat.warming import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")
sys.setswitchinterval(0.0005)  # threads that talk to the database must not hold up the event loop
services.start()
django_application = get_asgi_application()

from hybridchat.chat.routing import websocket_urlpatterns  # noqa: E402  consumers import models: Django first

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
warm_up()
