# Sleeps and waits, and says how long each took on its own clock.
import threading
import time


def tell(what, act):
    began = time.monotonic_ns()
    act()
    print(what, time.monotonic_ns() - began, flush=True)


tell("sleep", lambda: time.sleep(1.5))
tell("wait", lambda: threading.Event().wait(0.25))
tell("minute", lambda: time.sleep(60))
