#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a large trace from a real one: its events, repeated until the file has the size asked for.

Each repetition is shifted in time and in every id (External id, correlation, flow ids, sequence
numbers, ids of Python frames, step numbers), so that the result is what a longer recording of the
same program would look like. The text is otherwise as the profiler wrote it, white space included.

  bench/make_trace.py examples/recordings/bert_large-train-512-8-bf16.json.gz big.json --bytes 1.1e9
  bench/make_trace.py … big.json.gz       gzip, level 6
  bench/make_trace.py … --order grouped   all host operators first, then calls, then kernels
"""

import argparse
import gzip
import json
import re
import sys

# What changes from one repetition to the next, as the profiler writes it.
FIELD = re.compile(
    rb'"ts": (?P<ts>[0-9.]+)|ProfilerStep#(?P<step>\d+)'
    rb'|"(?:External id|correlation|id|Sequence number|Python id|Python parent id'
    rb'|wait_on_cuda_event_record_corr_id)": (?P<id>\d+)')


def read(path):
    data = open(path, "rb").read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def split(text):
    """Head, list of event texts, tail; events are separated as in the original."""
    start = text.index(b'"traceEvents": [') + len(b'"traceEvents": [')
    # The end of the list is where the parser says it is: the last bracket at depth 0.
    depth, in_string, escape = 0, False, False
    events, begin = [], None
    for match in re.finditer(rb'["\\{}\[\]]', text[start:]):
        at, c = match.start(), match.group()
        if escape is not False:
            if at == escape:
                escape = False
                continue
            escape = False
        if in_string:
            if c == b"\\":
                escape = at + 1
            elif c == b'"':
                in_string = False
            continue
        if c == b'"':
            in_string = True
        elif c in b"{[":
            if depth == 0:
                begin = at
            depth += 1
        elif depth == 0:
            return text[:start], events, text[start + at:]
        else:
            depth -= 1
            if depth == 0:
                events.append(text[start + begin:start + at + 1])
    raise SystemExit("the event list has no end")


def nanoseconds(text):
    whole, _, fraction = text.partition(b".")
    return int(whole) * 1000 + int((fraction + b"000")[:3])


class Template:
    """One event as literal pieces with the changing fields between them."""

    def __init__(self, text):
        self.literals, self.fields, at = [], [], 0
        for match in FIELD.finditer(text):
            kind = match.lastgroup
            value = match.group(kind)
            self.literals.append(text[at:match.start(kind)])
            self.fields.append((kind, nanoseconds(value) if kind == "ts" else int(value), b"." in value))
            at = match.end(kind)
        self.literals.append(text[at:])

    def render(self, shift):
        parts = []
        for literal, (kind, value, fraction) in zip(self.literals, self.fields):
            value += shift[kind]
            parts.append(literal)
            if kind != "ts":
                parts.append(b"%d" % value)
            elif fraction:
                parts.append(b"%d.%03d" % divmod(value, 1000))
            else:
                parts.append(b"%d" % (value // 1000))
        parts.append(self.literals[-1])
        return b"".join(parts)


CATEGORY_ORDER = {"cpu_op": 0, "user_annotation": 0, "Operator": 0, "python_function": 0,
                  "cuda_runtime": 1, "cuda_driver": 1, "Runtime": 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("out")
    parser.add_argument("--bytes", type=float, default=1.1e9, help="of the uncompressed file")
    parser.add_argument("--order", choices=("repeated", "grouped"), default="repeated")
    options = parser.parse_args()

    head, events, tail = split(read(options.trace))
    parsed = [json.loads(event) for event in events]
    timed = [(nanoseconds(str(event["ts"]).encode()), nanoseconds(str(event.get("dur", 0)).encode()))
             for event in parsed if event.get("ph") == "X" and event.get("cat") != "Trace"]
    span = max(start + length for start, length in timed) - min(start for start, _ in timed)
    templates = [Template(event) for event in events]
    fields = [field for template in templates for field in template.fields]
    most = {kind: max([value for k, value, _ in fields if k == kind], default=0) for kind in ("id", "step")}
    body = sum(len(event) + 4 for event in events)
    times = max(1, round((options.bytes - len(head) - len(tail)) / body))
    groups = [list(range(len(events)))]
    if options.order == "grouped":
        order = [CATEGORY_ORDER.get(event.get("cat"), 2) for event in parsed]
        groups = [[i for i in groups[0] if order[i] == wanted] for wanted in (0, 1, 2)]

    opener = (lambda p: gzip.open(p, "wb", compresslevel=6)) if options.out.endswith(".gz") else (
        lambda p: open(p, "wb"))
    step = -(-(span + 1000) // 1000) * 1000
    with opener(options.out) as out:
        out.write(head)
        separator = b"\n  "
        for group in groups:
            for k in range(times):
                shift = {"ts": k * step, "id": k * (most["id"] + 1), "step": k * (most["step"] + 1)}
                out.write(separator + b",\n  ".join(templates[i].render(shift) for i in group))
                separator = b",\n  "
        out.write(b"\n  " + tail)
    print(f"{options.out}: {times} × {len(events):,} events", file=sys.stderr)


if __name__ == "__main__":
    main()
