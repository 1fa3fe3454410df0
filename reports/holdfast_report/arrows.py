"""The ways of messages: from a client's line to a server's and back, on which no label stands.

A straight arrow says most, so it is taken wherever it crosses no label. Else the message goes down beside its client's
line, where there are no labels, and crosses the other lanes in the row of the event it is about, which is kept free.
"""
SWAY = 5               # how far above and below that row its arrows begin and end
_NEAR = 2              # closer to a label than this is on it
_HOOK = 4              # between a lane's line and the track beside it, downwards


def request_way(place, message):
    y, server_x = place.carried_out_y(message), place.line_x(message.server) - 4
    client_x, track_x = place.line_x(message.client) + 5, place.track_x(message.client)
    sent, above = place.y_of(message.sent), y - SWAY
    label = place.label_end(message.client, message.sent)
    if message.sent_at_once and label is not None and label[1] <= y and is_clear(place, label, (server_x, y)):
        return [label, (server_x, y)]
    if message.sent_at_once and sent + _HOOK < above:
        return [(client_x, sent), (track_x, sent + _HOOK), (track_x, above), (server_x, y)]
    return [(client_x, above), (server_x, y)]


def answer_way(place, message):
    y, server_x = place.carried_out_y(message), place.line_x(message.server) - 4
    client_x, track_x = place.line_x(message.client) + 5, place.track_x(message.client)
    answered, below = place.y_of(message.answered), y + SWAY
    label = place.label_end(message.client, message.answered)
    if message.answered_at_once and label is not None and label[1] >= y and is_clear(place, (server_x, y), label):
        return [(server_x, y), label]
    if message.answered_at_once and answered - _HOOK > below:
        return [(server_x, y), (track_x, below), (track_x, answered - _HOOK), (client_x, answered)]
    return [(server_x, y), (client_x, below)]


def is_clear(place, one, other):
    """Whether a straight line between two points crosses no label."""
    (left, y_left), (right, y_right) = sorted([one, other])
    if right <= left:
        return False
    slope = (y_right - y_left) / (right - left)
    for box_left, top, box_right, bottom in place.label_boxes:
        start, end = max(left, box_left - _NEAR), min(right, box_right + _NEAR)
        if start >= end:
            continue
        y_start, y_end = y_left + slope * (start - left), y_left + slope * (end - left)
        if min(y_start, y_end) < bottom and max(y_start, y_end) > top:
            return False
    return True
