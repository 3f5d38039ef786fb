# SPDX-License-Identifier: Apache-2.0
"""The ways of writing a recording that trace_variants.py tries: functions from a trace to a file, by
what they change, in the list VARIANTS."""

import random
import re

from trace_text import (KINETO, Number, Raw, Style, Word, decimal, gzip_member, is_step, microseconds,
                        zstd_frame)

VARIANTS = []  # (name, function, names of bases)


def variant(*bases):
    """A function from a trace to a file, or to (file, the file it must agree with)."""
    def register(function):
        VARIANTS.append((function.__name__, function, bases or ("tiny", "cut down")))
        return function
    return register


def with_events(trace, events):
    return {**trace, "traceEvents": events}


def each(trace, change):
    """Every event as `change` makes it; it gets a copy with a copy of its args."""
    def copied(event):
        return {**event, "args": dict(event["args"])} if "args" in event else dict(event)
    return with_events(trace, [change(copied(event)) for event in trace["traceEvents"]])


# White space, order and packing.

@variant("tiny", "cut down", "whole")
def compact(trace):
    return Style(":", ",", ",", "").trace(trace)


@variant()
def spread_out(trace):
    return Style(" :\t", " ,\n\t", "\n\n , \r\n", "\n").trace(trace)


@variant()
def lines_end_as_on_windows(trace):
    return KINETO.trace(trace).replace(b"\n", b"\r\n")


@variant()
def byte_order_mark(trace):
    return b"\xef\xbb\xbf" + KINETO.trace(trace)


@variant()
def white_space_around_and_a_long_gap(trace):
    text = KINETO.trace(trace)
    at = text.index(b"},\n", len(text) // 2) + 2
    return b"\n \t" + text[:at] + b" " * 3_000_000 + text[at:] + b"\n\n"


@variant("tiny", "cut down", "whole")
def keys_shuffled(trace):
    dice = random.Random(1)
    return Style(keys=lambda pairs: dice.sample(pairs, len(pairs))).trace(trace)


@variant()
def keys_reversed(trace):
    return Style(keys=lambda pairs: pairs[::-1]).trace(trace)


@variant()
def events_first_and_devices_last(trace):
    order = sorted(trace, key=lambda key: (key != "traceEvents", key == "deviceProperties"))
    return KINETO.trace({key: trace[key] for key in order})


@variant()
def more_members_around_the_events(trace):
    more = {"distributedInfo": {"backend": "nccl", "rank": Number(0), "world_size": Number(1)},
            "traceEvent": [], "nested": [[{"traceEvents": [Number(1)]}], {"a": {"b": "]}"}}],
            "no": Word("null")}
    return KINETO.trace({**more, **trace, "last": [more, Word("true"), Number("-1.5e-3")]})


@variant("tiny", "cut down", "whole")
def events_shuffled(trace):
    return KINETO.trace(with_events(trace, random.Random(2).sample(
        trace["traceEvents"], len(trace["traceEvents"]))))


@variant()
def events_reversed(trace):
    return KINETO.trace(with_events(trace, trace["traceEvents"][::-1]))


@variant()
def device_before_host(trace):
    return KINETO.trace(with_events(trace, sorted(
        trace["traceEvents"], key=lambda e: e.get("cat") in ("cpu_op", "cuda_runtime"))))


@variant()
def bare_list(trace):
    return KINETO.trace(trace["traceEvents"]), KINETO.trace({"traceEvents": trace["traceEvents"]})


@variant()
def gzip_members(trace):
    text = KINETO.trace(trace)
    cuts = [0, 1, len(text) // 3, len(text) // 3, len(text) - 1, len(text)]
    return b"".join(gzip_member(text[a:b], i) for i, (a, b) in enumerate(zip(cuts, cuts[1:])))


@variant()
def gzip_with_a_name_and_zeros_behind(trace):
    packed = gzip_member(KINETO.trace(trace))
    return packed[:3] + b"\x08" + packed[4:10] + b"trace.json\0" + packed[10:] + b"\0" * 1000


@variant("tiny", "cut down", "whole")
def zstd(trace):
    return zstd_frame(KINETO.trace(trace))


@variant()
def zstd_frames(trace):
    text = KINETO.trace(trace)
    return zstd_frame(text[:777], 100) + zstd_frame(b"") + zstd_frame(text[777:], 1000)


# Times and numbers.

BASE_NS = 1790857026000000000


def shifted(trace, nanoseconds):
    return each(trace, lambda e: {**e, "ts": decimal(microseconds(e["ts"]) + nanoseconds)})


@variant()
def times_absolute_with_fraction(trace):
    return KINETO.trace({**shifted(trace, BASE_NS), "baseTimeNanoseconds": Number(0)})


@variant()
def times_absolute_without_a_base(trace):
    moved = shifted(trace, BASE_NS)
    moved.pop("baseTimeNanoseconds", None)
    return KINETO.trace(moved)


@variant()
def times_relative_to_another_base(trace):
    first = min(microseconds(e["ts"]) for e in trace["traceEvents"])
    return KINETO.trace({**shifted(trace, -first), "baseTimeNanoseconds": Number(BASE_NS + first)})


@variant()
def times_before_the_base(trace):
    middle = sorted(microseconds(e["ts"]) for e in trace["traceEvents"])[len(trace["traceEvents"]) // 2]
    return KINETO.trace(shifted(trace, -middle - 500_000))


def whole_microseconds(trace, nanoseconds, digits):
    def change(event):
        start = round(microseconds(event["ts"]), -3)
        if "dur" in event:
            end = round(microseconds(event["ts"]) + microseconds(event["dur"]), -3)
            event["dur"] = decimal(end - start, digits)
        return {**event, "ts": decimal(start + nanoseconds, digits)}
    return KINETO.trace(each(trace, change))


@variant()
def times_absolute_whole_microseconds(trace):
    return whole_microseconds(trace, BASE_NS, 0), whole_microseconds(trace, 0, 3)


@variant()
def times_with_more_digits(trace):
    return KINETO.trace(each(trace, lambda e: {
        key: Number(f"{decimal(microseconds(part))}000000") if key in ("ts", "dur") else part
        for key, part in e.items()}))


@variant()
def lengths_with_exponents(trace):
    return KINETO.trace(each(trace, lambda e: {
        key: Number(f"{microseconds(part)}e-3") if key == "dur" else part for key, part in e.items()}))


NUMBERS = {"ts", "dur", "pid", "tid", "External id", "correlation", "device", "stream", "bytes", "grid",
           "block", "registers per thread", "shared memory"}


@variant()
def numbers_as_strings(trace):
    def quoted(value):
        return [quoted(v) for v in value] if isinstance(value, list) else str(value)

    def change(event):
        for part in (event, event.get("args", {})):
            part.update((key, quoted(value)) for key, value in part.items() if key in NUMBERS)
        return event
    text = KINETO.trace(each(trace, change))
    assert re.search(rb'"ts": "[0-9.]+"', text) and re.search(rb'"grid": \["', text)
    return text


# Fields that do not bear on the answer.

def arguments(trace, categories, **values):
    def change(event):
        if event.get("cat") in categories:
            event["args"] = {**event.get("args", {}), **values}
        return event
    return each(trace, change)


WORK = ("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cpu_op")


@variant("tiny", "cut down", "whole")
def bare_nan_and_infinity(trace):
    return KINETO.trace(arguments(trace, WORK, **{
        "memory bandwidth (GB/s)": Word("NaN"), "est. achieved occupancy %": Word("Infinity"),
        "warps per SM": Word("-Infinity"),
        "more": [Word("NaN"), {"x": Word("-Infinity")}, Word("nan"), Word("inf"), Word("-inf")]}))


@variant()
def occupancy_zero(trace):
    return KINETO.trace(arguments(trace, ("kernel",), **dict.fromkeys(
        ("est. achieved occupancy %", "warps per SM", "blocks per SM", "queued"), Number(0))))


@variant()
def null_arguments(trace):
    return KINETO.trace(arguments(
        trace, WORK, Collective=Word("null"), Python=Word("true"), empty={}, none=[]))


@variant()
def no_external_ids(trace):
    def change(event):
        event.get("args", {}).pop("External id", None)
        return event
    return KINETO.trace(each(trace, change))


@variant()
def external_ids_of_nothing(trace):
    return KINETO.trace(arguments(trace, WORK[:4], **{"External id": Number(4294967290)}))


@variant()
def external_ids_zero(trace):
    return KINETO.trace(arguments(trace, WORK, **{"External id": Number(0)}))


@variant()
def flow_events_left_out(trace):
    return KINETO.trace(with_events(trace, [e for e in trace["traceEvents"] if e["ph"] not in "sfM"]))


@variant()
def device_side_synchronisations(trace):
    """The `cuda_sync` events of newer versions, beside the calls that they belong to."""
    def sync(kind, ts, dur, **args):
        return {"ph": "X", "cat": "cuda_sync", "name": kind, "pid": Number(0), "tid": Number(7),
                "ts": ts, "dur": dur, "args": {"cuda_sync_kind": kind, **args, "device": Number(0),
                                               "context": Number(1)}}
    events = []
    for event in trace["traceEvents"]:
        events.append(event)
        if "Synchronize" in event.get("name", "") and event["cat"] == "cuda_runtime":
            stream = "Stream" in event["name"]
            events.append(sync("Stream Sync" if stream else "Context Sync", event["ts"], event["dur"],
                               stream=Number(7 if stream else -1),
                               correlation=event["args"]["correlation"]))
    middle = events[len(events) // 2]["ts"]
    for kind in ("Stream Wait Event", "Event Sync", "Unknown"):
        events.append(sync(kind, middle, Number(0), stream=Number(7), wait_on_stream=Number(20),
                           wait_on_cuda_event_record_corr_id=Number(123456),
                           wait_on_cuda_event_id=Number(42), correlation=Number(987654321)))
    return KINETO.trace(with_events(trace, events))


@variant()
def a_large_argument_and_a_deep_one(trace):
    deep = Word('{"a": [' * 10_000 + "1" + "]}" * 10_000)
    return KINETO.trace(among(trace, [
        other_event(trace, "user_annotation", "long", args={"text": "x" * 3_000_000}),
        other_event(trace, "python_function", "deep", args={"text": deep}),
        other_event(trace, "user_annotation", "deep", args={"text": deep})]))


# Text that JSON forbids, or that looks like structure, in events that do not bear on the answer.

def other_event(trace, category, name, args=None):
    """An event inside the first step, on its thread, that no rule of the reader asks for."""
    step = next(event for event in trace["traceEvents"] if is_step(event))
    if args is None:
        args = {"Python parent id": Word("null"), "Ev Idx": Number(1)}
    return {"ph": "X", "cat": category, "name": name, "pid": step["pid"], "tid": step["tid"],
            "ts": decimal(microseconds(step["ts"]) + 1000), "dur": decimal(1000), "args": args}


def among(trace, more):
    """`more` first, last, and spread between the events; all of it again in every place."""
    events = trace["traceEvents"]
    out, gap = [], max(1, len(events) // 7)
    for i, event in enumerate(events):
        if i % gap == 0:
            out += more
        out.append(event)
    return with_events(trace, out + more)


def names(trace, *raw):
    more = []
    for text in raw:
        for category in ("user_annotation", "python_function", "gpu_user_annotation"):
            event = other_event(trace, category, Raw(text))
            last = event.copy()
            more += [event, last, other_event(trace, category, "args", args={"Call stack": Raw(text)})]
            last["name"] = last.pop("name")  # now the last member
    return KINETO.trace(among(trace, more))


def bytes_as_text(data):
    return data.decode("utf-8", "surrogateescape")


RAW_TEXT = {
    "control_characters": ("bell \x07 and \x01\x02\x1f\x7f", "\x00"),
    "raw_tabs_and_line_ends": ("a\tb\nc\r\nd", "\n"),
    "text_that_is_not_utf8": tuple(map(bytes_as_text, (
        b"caf\xe9", b"\xff\xfe", b"cut \xe4\xb8", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf5\x80\x80\x80"))),
    "other_letters": ("模型/前向", "Zoë 🚀", r"\u6a21\u578b \ud83d\ude80 \ud83d \udc00"),
    "backslashes_that_start_no_escape": (r"C:\dir\module.py(3): forward", r"C:\users\x", r"\u12",
                                        r"\x41\q"),
    "a_backslash_before_the_closing_quote": ("C:\\dir\\", "\\", "three \\\\\\"),
    "escaped_quotes_and_backslashes": (r"say \"hi\" \\", r"\\\\", r"\"", r"{\"a\": [\"", r"a\\\""),
    "an_even_number_of_raw_quotes": ('say "hi" there', '""', 'a["b"]', 'x = "a", "b"'),
    "raw_quotes_around_opening_brackets": ('print("{")', 'print("[")', '"[{"'),
    "raw_quotes_around_closing_brackets": ('print("}")', 'print("]")', '"}]"'),
    "json_inside_raw_quotes": ('{"key": "value"}', '{"a": {"b": ["c"]}}', 'f({"a": [1, 2]})'),
    "an_odd_number_of_raw_quotes": ('5" disk', '"', '1", 2", 3"'),
    "an_odd_quote_before_brackets": ('x = "{', 'x = "[', '"{['),
    "an_odd_quote_before_closing_brackets": ('x = "}', 'x = "]'),
    "brackets_and_commas_in_strings": ("}, {", "]}", '[[[{{{', "a, b: c"),
}


def register_raw_text(name, texts):
    def function(trace):
        return names(trace, *texts)
    function.__name__ = name
    VARIANTS.append((name, function, ("tiny", "cut down", "whole")))


for raw_name, raw_texts in RAW_TEXT.items():
    register_raw_text(raw_name, raw_texts)


@variant("tiny", "cut down")
def one_odd_quote_in_the_whole_file(trace):
    """A second one, further on, cannot put the reader right again."""
    events = list(trace["traceEvents"])
    events.insert(len(events) // 3, other_event(trace, "python_function", Raw('disk.py(5): 5"')))
    return KINETO.trace(with_events(trace, events))


@variant("tiny", "cut down")
def one_odd_quote_in_the_last_event(trace):
    return KINETO.trace(with_events(trace, [*trace["traceEvents"],
                                            other_event(trace, "user_annotation", Raw('5" disk'))]))


@variant()
def trace_name_on_windows(trace):
    return KINETO.trace({"traceName": Raw(r"C:\traces\users\run.json"), **trace,
                         "traceNames": Raw(r"D:\x\run.json")})


@variant("tiny", "cut down")
def everything_at_once(trace):
    """Much of the above together, packed twice over."""
    dice = random.Random(3)
    many = [other_event(trace, "python_function", Raw(text))
            for key, texts in RAW_TEXT.items() if "odd" not in key and "before_the" not in key
            and "raw_quotes" not in key for text in texts]
    events = among(shifted(trace, BASE_NS), many)["traceEvents"]
    dice.shuffle(events)
    style = Style(":", ",", ",\r\n", "\r\n", keys=lambda pairs: dice.sample(pairs, len(pairs)))
    mixed = arguments({"traceEvents": events}, ("kernel",), occupancy=Word("NaN"))["traceEvents"]
    rest = {key: value for key, value in trace.items() if key != "traceEvents"}
    text = b"\xef\xbb\xbf" + style.trace({"traceEvents": mixed, **rest})
    return gzip_member(text[:100_000]) + gzip_member(text[100_000:])
