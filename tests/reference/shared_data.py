# SPDX-License-Identifier: Apache-2.0
"""Where the reference recordings are: in UPLIFT_SHARED, or in a folder `shared` beside the repository
(or beside a folder above it). Without them a reference test is skipped with the reason on stdout."""

import os
import pathlib
import sys

SKIPPED = 77


def shared(*parts):
    named = os.environ.get("UPLIFT_SHARED")
    source = pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"])
    roots = [pathlib.Path(named)] if named else [above / "shared" for above in list(source.parents)[:3]]
    for root in roots:
        path = root.joinpath("data", *parts)
        if path.exists():
            return path
    print(f"skipped: no {'/'.join(parts)} in {roots[0]}/data (UPLIFT_SHARED names another place)")
    sys.exit(SKIPPED)
