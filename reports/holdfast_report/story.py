"""What a space–time diagram shows of a history, before anything has a place on paper.

Positions are numbers of events in the history. They order everything, and the layout gives each a height.
"""
import re
from collections import Counter
from dataclasses import dataclass, field

from .words import clipped, duration

ROWS_MOST = 70  # more than that is no picture any more; the history has it all
ROWS_OF_A_LANE = 12  # though of many lanes each must have enough to be understood
GRANTS_TOLD = 12  # in any case; those after them if there is room
_CLOCK_LEAST_NS = 1_000_000


@dataclass
class Lane:
    name: str
    kind: str                 # client, server, storage
    clock_off_from: int | None = None
    dead: list = field(default_factory=list)   # (position it died at, position it came back at or None)


@dataclass
class Mark:
    """One label in one lane."""
    position: int
    time: int
    lane: int
    text: str
    tone: str                 # plain, quiet, good, bad, fault, clock
    importance: int           # 0 is never left out
    detail: str = ""
    dot: bool = False


@dataclass
class Message:
    """A command and its answer, around the mark of the server that carried it out."""
    client: int
    server: int
    sent: int                 # position of what the client did before
    carried_out: int
    answered: int | None      # position of what the client did next; none: nothing came back
    sent_at_once: bool        # whether it left right when `sent` happened, or some time between
    answered_at_once: bool
    is_lost: bool


@dataclass
class Hold:
    lane: int
    session: int
    begin: int
    end: int | None           # none: until the run ends
    begin_time: int
    end_time: int
    shared: bool
    key: str
    owner: tuple              # process and thread
    depth: int = 0            # of a lock taken again by its holder


@dataclass
class Wait:
    """From the first attempt of an acquire until it is granted, attempts that failed included."""
    lane: int
    begin: int
    end: int | None


@dataclass
class Band:
    lane: int
    begin: int
    end: int | None
    text: str


@dataclass
class Overlap:
    first: Hold
    second: Hold
    begin: int
    end: int | None
    nanoseconds: int


@dataclass
class Story:
    lanes: list
    marks: list
    messages: list
    holds: list
    waits: list
    bands: list
    overlap: Overlap | None
    times: list               # of every position
    end_time: int
    end_text: str
    left_out: int             # events that have no mark for want of room
    faults: list              # (time, lane name, text)


def make_story(history, verdicts):
    """`verdicts` is what holdfast run --json prints."""
    return _Reader(history, verdicts or {}).story()


class _Reader:
    def __init__(self, history, verdicts):
        self.history, self.events = history, history.events
        self.verdicts = verdicts
        self.witness = {number for verdict in verdicts.get("verdicts", [])
                        if verdict.get("judgement") == "violated"
                        for number in verdict.get("witness", [])}
        self.lanes, self.lane_of, self.lanes_of = [], {}, {}
        self._find_lanes()
        self.before, self.after = self._neighbours()
        self.repeats = _Repeats(self.events, self.witness)
        self.marks = []
        self.grants, self.has_lost_update, self.has_asked = 0, False, set()

    def story(self):
        for position, event in enumerate(self.events):
            if position in self.repeats.left_out:
                count = self.repeats.told_at.get(position)
                if count:
                    words = "more like it" if position in self.repeats.no_try else "try" if count == 1 else "tries"
                    self._mark(position, self._client(event), f"… {count:,} {words}", "quiet", 1,
                               "the same with the same answer as before, up to here")
                continue
            self._tell(position, event)
        self._tell_clocks()
        holds = self._holds()
        overlap = self._overlap(holds)
        if overlap is not None:
            late = overlap.second
            self._mark(late.begin, late.lane, f"✗ {self.lanes[overlap.first.lane].name} holds it too", "bad", 0,
                       f"both hold the lock for {duration(overlap.nanoseconds)}")
        self.marks.sort(key=lambda mark: mark.position)
        marks, left_out = self._most_telling()
        drawn = {mark.position for mark in marks}
        dots = {(mark.lane, mark.position) for mark in marks if mark.dot}
        messages = [message for message in self._messages() if (message.server, message.carried_out) in dots]
        # What begins behind the last mark would have no height to begin at.
        last = max(drawn, default=0)
        end = self.history.end
        faults = [(event["time"], event["process"], event.get("text", "")) for event in self.events
                  if event["type"] == "fault-begin"]
        return Story(self.lanes, marks, messages, [hold for hold in holds if hold.begin <= last],
                     [wait for wait in self._waits() if wait.begin <= last],
                     [band for band in self._bands() if band.begin <= last], overlap,
                     [event["time"] for event in self.events], self.history.end_time,
                     end["end"] if end else "the history is not whole", left_out, faults)

    # Lanes: clients, then servers, then storage. A thread has its own if its process has several that work.
    def _find_lanes(self):
        threads, servers, storage, others, callers = {}, [], [], [], set()
        for event in self.events:
            process, server = event["process"], event.get("server")
            if server is not None:
                callers.add(process)
            if event["type"] in ("invoke", "ok", "fail", "info"):
                threads.setdefault(process, set()).add(event.get("thread") or 1)
            if server is not None and server not in servers and server not in storage:
                is_storage = event["type"] != "applied" or server == "storage"
                (storage if is_storage else servers).append(server)
        for event in self.events:
            process = event["process"]
            if process not in threads and process not in servers + storage + others:
                others.append(process)
        for process in sorted(threads, key=_natural):
            for thread in sorted(threads[process]):
                name = process if thread == min(threads[process]) else f"{process}:{thread}"  # as verdicts call it
                self._add_lane((process, thread), name, "client")
            self.lane_of[process, None] = self.lane_of[process, min(threads[process])]
        rest = set(servers + others) - set(storage)
        idle = {name for name in rest - set(servers) if name in callers or _looks_like_client(name)}
        for name in sorted(idle, key=_natural) + sorted(rest - idle, key=_natural):
            self._add_lane((name, None), name, "client" if name in idle else "server")
        for name in sorted(storage, key=_natural):
            self._add_lane((name, None), name, "storage")

    def _add_lane(self, key, name, kind):
        self.lane_of[key] = len(self.lanes)
        self.lanes_of.setdefault(key[0], []).append(len(self.lanes))
        self.lanes.append(Lane(clipped(name, 40), kind))

    def _struck(self, position):
        """The lanes of what happens to a process: all of its threads', if it is not one thread's alone."""
        event = self.events[position]
        following = self.events[position + 1] if position + 1 < len(self.events) else event
        if following["type"] == "died" and following["process"] == event["process"]:
            event = following  # of a fault that kills one thread this says which
        return [self._client(event)] if event.get("thread") else self.lanes_of[event["process"]]

    def _client(self, event):
        key = (event["process"], event.get("thread"))
        return self.lane_of[key] if key in self.lane_of else self.lane_of[event["process"], None]

    def _server(self, event):
        return self.lane_of[event["server"], None] if (event["server"], None) in self.lane_of else self._client(event)

    def _neighbours(self):
        """For each position, that of the event of the same thread before and after it."""
        last, before, after = {}, {}, {}
        for position, event in enumerate(self.events):
            if event["type"] in ("fault-begin", "fault-end"):
                continue
            thread = (event["process"], event.get("thread") or 1)
            if thread in last:
                before[position] = last[thread]
                after[last[thread]] = position
            last[thread] = position
        return before, after

    def _mark(self, position, lane, text, tone, importance, detail="", dot=False):
        if position in self.witness:
            importance = 0
        self.marks.append(Mark(position, self.events[position]["time"], lane, text, tone, importance, detail, dot))

    def _tell(self, position, event):
        kind = event["type"]
        text = event.get("text", "")
        lane = self._client(event)
        if kind == "invoke":
            self._tell_invoke(position, event, lane)
        elif kind == "ok":
            self._tell_ok(position, event, lane)
        elif kind == "fail":
            words = f"{event['operation']} fails" + (f": {text}" if text else "")
            self._mark(position, lane, words, "quiet", 1)
        elif kind == "info":
            why = "no answer" if text == "timed out" else text or "unknown"
            self._mark(position, lane, f"{event['operation']}: {why}", "quiet", 1, "the outcome is unknown: " + text)
        elif kind == "applied":
            if self.lanes[self._server(event)].kind != "storage":  # which tells of reads and writes itself
                who = self.lanes[lane].name
                self._mark(position, self._server(event), f"{who} {_command_in_short(text)}", "quiet", 2,
                           f"{who}: {text}", dot=True)
        elif kind in ("stored", "rejected"):
            self._tell_storage(position, event)
        elif kind == "fault-begin":
            self._mark(position, lane, text, "fault", 0)
        elif kind == "fault-end":
            self._mark(position, lane, f"{text} is over", "fault", 0)
        elif kind == "died":
            self._mark(position, lane, "† dies", "fault", 0)
        elif kind == "restarted":
            self._mark(position, lane, "↻ starts again", "fault", 0)
        elif kind == "lost-hold":
            self._mark(position, lane, "knows it lost the lock", "bad", 0)

    def _tell_invoke(self, position, event, lane):
        operation, shared = event["operation"], " shared" if event.get("mode") == "shared" else ""
        if operation in ("acquire", "try-acquire"):
            is_first = lane not in self.has_asked
            self.has_asked.add(lane)
            self._mark(position, lane, operation + shared, "plain", 1 if is_first else 3)
        elif operation == "release":
            self._mark(position, lane, "release", "plain", 1)
        elif operation in ("write", "cas", "add"):
            words = {"write": "writes", "cas": "sets", "add": "adds"}[operation]
            token = f", token {event['token']}" if event.get("token") is not None else ""
            self._mark(position, lane, f"{words} {event.get('value')}{token}", "plain", 2)
        elif operation == "await":
            self._mark(position, lane, "awaits zero", "plain", 2)

    def _tell_ok(self, position, event, lane):
        operation = event["operation"]
        if operation in ("acquire", "try-acquire"):
            if event.get("refused"):
                self._mark(position, lane, f"{operation} refused", "quiet", 2)
                return
            token = f", token {event['token']}" if event.get("token") is not None else ""
            shared = " shared" if event.get("mode") == "shared" else ""
            self.grants += 1
            self._mark(position, lane, f"granted{shared}{token}", "good", 0 if self.grants <= GRANTS_TOLD else 1)
        elif operation == "release":
            self._mark(position, lane, "released", "quiet", 3)
        elif operation == "read":
            self._mark(position, lane, f"reads {event.get('value')}", "plain", 3,
                       f"version {event.get('version')}")
        elif operation == "count-down":
            self._mark(position, lane, "counted down", "plain", 1)
        elif operation == "await":
            self._mark(position, lane, "went through", "good", 1)

    def _tell_storage(self, position, event):
        who, value = self.lanes[self._client(event)].name, event.get("value")
        if event["type"] == "rejected":
            self._mark(position, self._server(event), f"rejects {who}'s {value}", "good", 0,
                       event.get("text", ""), dot=True)
        elif event.get("found_version") != event.get("version"):
            words = "stale" if self.has_lost_update else "stale, an update is lost"
            importance = 2 if self.has_lost_update else 0
            self.has_lost_update = True
            self._mark(position, self._server(event), f"✗ {who}'s {value}: {words}", "bad", importance,
                       f"written from version {event.get('version')} over version {event.get('found_version')}", dot=True)
        else:
            self._mark(position, self._server(event), f"{who}'s {value}", "plain", 1, dot=True)

    def _tell_clocks(self):
        first = {}
        for event in self.events:
            if event.get("wall") is not None:
                first.setdefault(event["process"], event["wall"] - event["time"])
        if not first:
            return
        base = Counter(first.values()).most_common(1)[0][0]
        shown = {}
        for position, event in enumerate(self.events):
            lane = self._client(event)
            if event["type"] == "fault-begin" and "clock" in event.get("text", ""):
                self.lanes[lane].clock_off_from = min(self.lanes[lane].clock_off_from or position, position)
            if event.get("wall") is None:
                continue
            offset = event["wall"] - event["time"] - base
            was = shown.get(event["process"], 0)
            if abs(offset - was) < max(_CLOCK_LEAST_NS, abs(was) // 10):
                continue
            shown[event["process"]] = offset
            sign = "+" if offset > 0 else ""
            words = f"its clock: {sign}{duration(offset)}" if offset else "its clock is right"
            self._mark(position, lane, words, "clock", 0, "compared with the other clocks")
            if self.lanes[lane].clock_off_from is None:
                self.lanes[lane].clock_off_from = position

    def _holds(self):
        holds, open_holds = [], {}
        end_time = self.history.end_time

        def close(session, position):
            hold = open_holds.pop(session)
            hold.end, hold.end_time = position, self.events[position]["time"]

        for position, event in enumerate(self.events):
            kind, session = event["type"], event.get("session")
            is_acquire = event.get("operation") in ("acquire", "try-acquire")
            if kind == "ok" and is_acquire and not event.get("refused"):
                lane = self._client(event)
                depth = sum(1 for hold in open_holds.values() if hold.lane == lane)
                hold = Hold(lane, session, position, None, event["time"], end_time, event.get("mode") == "shared",
                            str(event.get("key", "lock")), (event["process"], event.get("thread")), min(depth, 2))
                holds.append(hold)
                open_holds[session] = hold
            elif kind == "invoke" and event.get("operation") == "release" or kind == "lost-hold":
                if session in open_holds:
                    close(session, position)
            elif kind == "died":
                for number, hold in list(open_holds.items()):
                    if hold.owner[0] == event["process"] and event.get("thread") in (None, hold.owner[1]):
                        close(number, position)
        for position, event in enumerate(self.events):
            if event["type"] not in ("died", "restarted"):
                continue
            for lane in [self.lanes[number] for number in self._struck(position)]:
                if event["type"] == "died":
                    lane.dead.append((position, None))
                elif lane.dead and lane.dead[-1][1] is None:
                    lane.dead[-1] = (lane.dead[-1][0], position)
        return holds

    def _waits(self):
        waits, waiting = [], {}
        for position, event in enumerate(self.events):
            lane, kind = self._client(event), event["type"]
            is_acquire = event.get("operation") in ("acquire", "try-acquire", "await")
            if kind == "invoke" and is_acquire and lane not in waiting:
                waiting[lane] = Wait(lane, position, None)
                waits.append(waiting[lane])
            elif lane in waiting and kind == "ok" and is_acquire:
                waiting.pop(lane).end = position
            elif kind == "died":
                for struck in waiting.keys() & set(self._struck(position)):
                    waiting.pop(struck).end = position
        return waits

    def _overlap(self, holds):
        """The two holds that mutual exclusion was violated with, as the checker names them."""
        verdict = next((verdict for verdict in self.verdicts.get("verdicts", [])
                        if verdict.get("property") == "mutual exclusion"), None)
        if verdict is None or verdict.get("judgement") != "violated":
            return None
        named = [hold for hold in holds if hold.begin in set(verdict.get("witness", []))]
        candidates = named if len(named) >= 2 else holds
        for index, second in enumerate(candidates):
            for first in candidates[:index]:
                end_time = min(first.end_time, second.end_time)
                apart = first.owner == second.owner or first.key != second.key or (first.shared and second.shared)
                ends = [hold.end for hold in (first, second) if hold.end is not None]
                if not apart and (not ends or min(ends) > second.begin):
                    return Overlap(first, second, second.begin, min(ends, default=None), end_time - second.begin_time)
        return None

    def _bands(self):
        bands, open_bands = [], {}
        for position, event in enumerate(self.events):
            if event["type"] not in ("fault-begin", "fault-end"):
                continue
            for lane in self._struck(position):
                if event["type"] == "fault-begin":
                    band = Band(lane, position, position, event.get("text", ""))
                    bands.append(band)
                    open_bands.setdefault(lane, []).append(band)
                elif open_bands.get(lane):
                    open_bands[lane].pop(0).end = position
        return bands

    def _messages(self):
        for position, event in enumerate(self.events):
            if event["type"] not in ("applied", "stored", "rejected") or position in self.repeats.left_out:
                continue
            if self._client(event) >= self._server(event):
                continue  # a server asks another, or itself
            sent, answered = self.before.get(position), self.after.get(position)
            next_type = self.events[answered]["type"] if answered is not None else "died"
            # An error is an answer, too.
            why = self.events[answered].get("text", "") if next_type == "info" else ""
            is_lost = next_type == "died" or (next_type == "info" and ("timed out" in why or "reset" in why or not why))
            client = self._client(event)
            yield Message(client, self._server(event), position if sent is None else sent, position, answered,
                          sent is not None and self.events[sent]["type"] == "invoke",
                          next_type in ("ok", "fail", "info"), is_lost)

    def _most_telling(self):
        """As many marks as there may be: those of less interest go first, those farthest from what went wrong first."""
        most = max(ROWS_MOST, ROWS_OF_A_LANE * len(self.lanes))
        focus = sorted(self.witness | {mark.position for mark in self.marks if mark.tone == "fault"}) or [0]
        surplus = len(self.marks) - most
        if surplus <= 0:
            return self.marks, 0

        def distance(mark):
            return min(abs(mark.position - place) for place in focus)
        order = sorted(range(len(self.marks)),
                       key=lambda index: (self.marks[index].importance, distance(self.marks[index]), index))
        kept = sorted(order[:most])
        return [self.marks[index] for index in kept], surplus


@dataclass
class _Group:
    """Attempts of a thread that were left out, one after the other."""
    times: Counter = field(default_factory=Counter)
    last: int = 0
    is_try: bool = False


class _Repeats:
    """Tells attempts that were seen before from what is new, for each thread, as the story on a terminal does."""

    def __init__(self, events, witness):
        self.left_out, self.told_at = set(), {}
        self.no_try = set()   # of told_at: those that ask for no lock, such as renewals
        seen, groups, waiting = {}, {}, set()
        for position, event in enumerate(events):
            thread = (event["process"], event.get("thread") or 1)
            kind, operation = event["type"], event.get("operation")
            is_attempt = kind == "applied" or (operation in ("acquire", "try-acquire") and not (
                kind == "ok" and not event.get("refused")))
            if not is_attempt:
                if kind in ("ok", "invoke", "died"):
                    self._close(groups, thread)
                    seen.pop(thread, None)
                    waiting.discard(thread)
                continue
            if kind != "applied":
                waiting.add(thread)
            likeness = _likeness(event)
            if likeness in seen.setdefault(thread, set()) and position not in witness:
                group = groups.setdefault(thread, _Group())
                group.times[likeness] += 1
                group.last = position
                group.is_try = thread in waiting
                self.left_out.add(position)
            else:
                seen[thread].add(likeness)
        for thread in list(groups):
            self._close(groups, thread)

    def _close(self, groups, thread):
        group = groups.pop(thread, None)
        if group:  # one attempt may take several commands: the one left out most often counts attempts
            self.told_at[group.last] = max(group.times.values())
            if not group.is_try:
                self.no_try.add(group.last)


def _likeness(event):
    command, _, reply = event.get("text", "").rpartition("→")
    return (event["type"], event.get("operation"), event.get("server"), command.split(" ")[0],
            re.sub(r"\d{2,}", "N", reply)[:60])


def _command_in_short(text):
    """"SET → OK" of "SET lock c1:1 NX PX 10000 → OK"."""
    command, arrow, reply = text.rpartition("→")
    return f"{command.split(' ')[0]} → {reply.strip()}" if arrow else text


def _natural(name):
    return [int(piece) if piece.isdigit() else piece for piece in re.split(r"([0-9]+)", name)]


def _looks_like_client(name):
    return re.fullmatch(r"c[0-9]+", name) is not None
