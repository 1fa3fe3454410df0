"""Where both programs begin: what must be installed is asked for in a sentence, not in a traceback."""
import signal
import sys


def start(name, arguments):
    for number in (signal.SIGTERM, signal.SIGHUP):  # by way of what tidies up
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, lambda caught, _: sys.exit(128 + caught))
    try:
        from . import main
        programs = {"report": main.report_main, "picture": main.picture_main}
        if name not in programs:
            print("holdfast: the first word must be report or picture", file=sys.stderr)
            return 2
        return programs[name](arguments)
    except ModuleNotFoundError as problem:
        print(f"holdfast: reports take Python's {problem.name}, which is not installed: "
              "apt-get install python3-jinja2 python3-matplotlib", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
