"""Run a Python module as a child that ends when its parent does, however that ends.

    python -m hybridchat.services.leash DESCRIPTOR MODULE ARGUMENTS…

The parent holds the other end of the pipe DESCRIPTOR and never writes. When the parent is gone, reading returns, and
this process asks itself to stop. Works where there is no "kill me with my parent" in the kernel.
"""

import os
import runpy
import signal
import sys
import threading


def stop_with_parent(descriptor: int) -> None:
    """Block until the other end of the pipe is closed."""
    os.read(descriptor, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=stop_with_parent, args=[int(sys.argv[1])], daemon=True).start()
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
