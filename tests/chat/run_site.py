"""The site under uvicorn with the scripted agent, for tests that kill it. Arguments: port."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "hybridchat.settings"

import uvicorn

from hybridchat.asgi import application
from tests.chat import fakes

if __name__ == "__main__":
    fakes.install()
    uvicorn.run(application, host="127.0.0.1", port=int(sys.argv[1]), log_level="info")
