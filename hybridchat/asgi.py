"""The site for an ASGI server: HTTP by Django, websockets by the chat's consumer, from this site's own pages only."""

import os
from importlib.util import find_spec

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

from hybridchat import services

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")
services.start()
django_application = get_asgi_application()

# Consumers import models, which is possible only now that Django is set up.
websocket_urlpatterns: list = []
if find_spec("hybridchat.chat.routing"):
    from hybridchat.chat.routing import websocket_urlpatterns

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
