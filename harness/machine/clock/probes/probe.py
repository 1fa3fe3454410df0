# Does with time what the test tells it to, line by line: see test_probe.h.
import sys
import threading
import time


def say(text):
    print(text, flush=True)


for line in sys.stdin:
    words = line.split()
    if words[0] == "clocks":
        say(f"{time.time_ns()} {time.monotonic_ns()}")
    elif words[0] == "sleep":
        say("waiting")
        time.sleep(int(words[1]))
        say("timed out")
    elif words[0] == "wait":
        say("waiting")
        came = threading.Event().wait(timeout=int(words[1]))
        say("went wrong" if came else "timed out")
