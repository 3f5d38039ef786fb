#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast uplift reads a large trace, beside the least that reading it takes.

Makes a trace of 1.1 GB from a real one (bench/make_trace.py) and its .gz, or takes one, and runs in
turn, with the files in the page cache: uplift on both, a bare simdjson pass, decompression alone,
and Python's json.load. Prints a Markdown table of medians; bench/README.md says what is compared.

  bench/read_speed.py                         everything, in a temporary folder
  bench/read_speed.py --folder ~/big          keeps the files there, and uses them again
  bench/read_speed.py --trace trace.json      another trace; its .gz is made in the folder
  bench/read_speed.py --check                 exit code 1 if a claim does not hold here
  bench/read_speed.py --save                  also writes data/measured/DATE-read-speed.md and .json
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDING = ROOT / "examples" / "recordings" / "bert_large-train-512-8-bf16.json.gz"
PLAIN, PACKED, BARE, JSON = "uplift, plain", "uplift, gzip", "bare simdjson pass", "Python json.load"
# What is claimed of a trace of 1.1 GB on two cores.
MOST_SECONDS = {PLAIN: 1.0, PACKED: 3.0}
MOST_RESIDENT_BYTES = 100e6
MOST_TIMES_BARE = 2.5
JSON_BYTES_PER_BYTE = 12  # of memory for Python's objects, with room to spare


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trace", type=pathlib.Path, help="a plain trace to read instead of a made one")
    parser.add_argument("--recording", type=pathlib.Path, default=RECORDING,
                        help="what the trace is made from")
    parser.add_argument("--bytes", type=float, default=1.1e9,
                        help="of the made trace (default: %(default).2g)")
    parser.add_argument("--order", choices=("repeated", "grouped"), default="repeated",
                        help="of its events")
    parser.add_argument("--folder", type=pathlib.Path,
                        help="for the files; they stay (default: temporary)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release",
                        help="where uplift and simdjson_pass were built (default: build/release)")
    parser.add_argument("--command", default="inspect {trace} --format json",
                        help="arguments of uplift (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--json-load", type=int, default=1, metavar="N",
                        help="runs of it (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=2,
                        help="that everything runs on (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="compare with what is claimed")
    parser.add_argument("--save", action="store_true", help="write to data/measured")
    return parser.parse_args()


def files(options, folder):
    """The plain trace and its .gz."""
    stem = options.recording.name.split(".")[0]
    plain = options.trace or folder / f"{stem}-{options.bytes / 1e6:.0f}MB-{options.order}.json"
    if not plain.exists():
        subprocess.run([sys.executable, ROOT / "bench" / "make_trace.py", options.recording, plain,
                        "--bytes", str(options.bytes), "--order", options.order], check=True)
    packed = folder / f"{plain.name}.gz"
    if not packed.exists() or packed.stat().st_mtime < plain.stat().st_mtime:
        print(f"packing {packed.name}", file=sys.stderr)
        partial = packed.with_suffix(".part")
        with open(partial, "wb") as out:
            subprocess.run(["gzip", "-6", "-c", plain], stdout=out, check=True)
        partial.rename(packed)
    for file in (plain, packed):  # into the page cache
        with open(file, "rb") as data:
            while data.read(1 << 20):
                pass
    return plain, packed


def available_bytes():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def run(command, limit=None):
    """Seconds and largest resident memory of a command, which must succeed. The memory is never less
    than what this script itself holds when it starts the command."""
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with tempfile.TemporaryFile() as messages:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=messages, preexec_fn=limited if limit else None)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            messages.seek(0)
            text = messages.read(2000).decode("utf-8", "replace").strip()
            raise SystemExit(f"{shlex.join(map(str, command))}: exit code {process.returncode}\n{text}")
    return seconds, usage.ru_maxrss * 1024


def contestants(options, plain, packed):
    """name -> command, in the order of the table; and how often each is run."""
    uplift = options.build / "bin" / "uplift"
    bare = options.build / "bench" / "simdjson_pass"
    for program in (uplift, bare):
        if not program.exists():
            raise SystemExit(f"{program} is not there; build it with: cmake --preset release && "
                             "cmake --build --preset release")

    def of_uplift(trace):
        return [uplift, *(part.format(trace=trace) for part in shlex.split(options.command))]
    commands = {PLAIN: of_uplift(plain), BARE: [bare, plain], PACKED: of_uplift(packed)}
    for tool in ("gzip", "pigz", "igzip"):
        if shutil.which(tool):
            commands[f"{tool} -dc"] = [tool, "-dc", packed]
    load = "import json, sys\nwith open(sys.argv[1], 'rb') as file:\n    json.load(file)"
    commands[JSON] = [sys.executable, "-c", load, plain]
    rounds = {name: options.repeat for name in commands}
    rounds[JSON] = min(options.json_load, options.repeat)
    need = JSON_BYTES_PER_BYTE * plain.stat().st_size
    if rounds[JSON] and available_bytes() < need:
        print(f"no {JSON}: it may need {need / 1e9:.0f} GB of memory, "
              f"{available_bytes() / 1e9:.0f} GB are free", file=sys.stderr)
        rounds[JSON] = 0
    return commands, rounds


def measure(options, plain, packed):
    """name -> list of (seconds, resident bytes). One after the other within a round, so that what
    else the machine does falls on all of them alike."""
    commands, rounds = contestants(options, plain, packed)
    results = {name: [] for name in commands if rounds[name]}
    for i in range(options.repeat):
        for name in results:
            if i < rounds[name]:
                limit = int(0.9 * available_bytes()) if name == JSON else None
                results[name].append(run(commands[name], limit))
                print(f"round {i + 1}: {name}: {results[name][-1][0]:.3f} s", file=sys.stderr)
    return results


def machine(options):
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())

    def said(*command):
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        return result.stdout.strip().splitlines()[0]
    return {
        "cpu": cpu[1].strip() if cpu else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "uplift": said(options.build / "bin" / "uplift", "--version"),
        "yardstick": said(options.build / "bench" / "simdjson_pass", "--version"),
        "python": platform.python_version(),
    }


def summary(options, results, plain, packed):
    size = plain.stat().st_size
    median = {name: statistics.median(seconds for seconds, _ in runs)
              for name, runs in results.items()}
    rows = {}
    for name, runs in results.items():
        rows[name] = {
            "runs": len(runs), "median_seconds": median[name], "least_seconds": min(s for s, _ in runs),
            "most_seconds": max(s for s, _ in runs), "resident_bytes": max(b for _, b in runs),
            "bytes_per_second": size / median[name],
            "times_bare_pass": median[name] / median[BARE],
            "times_faster_than_json_load": median[JSON] / median[name] if JSON in median else None}
    return {"date": datetime.date.today().isoformat(), "machine": machine(options),
            "trace": {"made_from": None if options.trace else options.recording.name,
                      "order": options.order, "bytes": size, "gzip_bytes": packed.stat().st_size},
            "command": f"uplift {options.command}", "results": rows}


def markdown(answer):
    trace, host = answer["trace"], answer["machine"]
    lines = [
        f"{trace['bytes'] / 1e9:.2f} GB plain, {trace['gzip_bytes'] / 1e6:.0f} MB gzip"
        + (f", made from {trace['made_from']}" if trace["made_from"] else "") + f"; `{answer['command']}`",
        "",
        f"{host['cpu']}, {host['cores']} cores used, {host['system']}; {host['uplift']}; "
        f"{host['yardstick']}; Python {host['python']}; files in the page cache",
        "",
        "| | median | range | GB/s | resident | ÷ bare pass | json.load ÷ it |",
        "|---|---:|---:|---:|---:|---:|---:|"]
    for name, row in answer["results"].items():
        faster = row["times_faster_than_json_load"]
        lines.append(
            f"| {name} | {row['median_seconds']:.2f} s "
            f"| {row['least_seconds']:.2f} – {row['most_seconds']:.2f} "
            f"| {row['bytes_per_second'] / 1e9:.2f} | {row['resident_bytes'] / 1e6:.0f} MB "
            f"| {row['times_bare_pass']:.2f} | {f'{faster:.1f}' if faster else '–'} |")
    return "\n".join(lines) + "\n"


def claims(answer):
    """(text, holds) of each."""
    results = answer["results"]
    for name, most in MOST_SECONDS.items():
        seconds = results[name]["median_seconds"]
        yield f"{name}: {seconds:.2f} s, claimed at most {most:g} s", seconds <= most
    for name in MOST_SECONDS:
        resident = results[name]["resident_bytes"]
        yield (f"{name}: {resident / 1e6:.0f} MB resident, claimed at most "
               f"{MOST_RESIDENT_BYTES / 1e6:.0f} MB", resident <= MOST_RESIDENT_BYTES)
    times = results[PLAIN]["times_bare_pass"]
    yield (f"{PLAIN}: {times:.2f} × the bare pass, claimed at most {MOST_TIMES_BARE:g} ×",
           times <= MOST_TIMES_BARE)


def save(answer, text):
    folder = ROOT / "data" / "measured"
    folder.mkdir(exist_ok=True)
    file = folder / f"{answer['date']}-read-speed.md"
    file.write_text(f"# Speed of reading, {answer['date']}\n\nWritten by `bench/read_speed.py --save`; "
                    f"what is compared is in [bench/README.md](../../bench/README.md).\n\n{text}")
    file.with_suffix(".json").write_text(json.dumps(answer, indent=2) + "\n")
    print(f"wrote {file.relative_to(ROOT)} and .json", file=sys.stderr)


def main():
    options = arguments()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < options.cores:
        print(f"only {len(cores)} of {options.cores} cores may be used", file=sys.stderr)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        plain, packed = files(options, folder)
        os.sched_setaffinity(0, cores[:options.cores])
        answer = summary(options, measure(options, plain, packed), plain, packed)
    text = markdown(answer)
    print(text, end="")
    if options.save:
        save(answer, text)
    if options.check:
        verdicts = list(claims(answer))
        print()
        for claim, holds in verdicts:
            print(f"{'holds' if holds else 'DOES NOT HOLD'}: {claim}")
        sys.exit(0 if all(holds for _, holds in verdicts) else 1)


if __name__ == "__main__":
    main()
