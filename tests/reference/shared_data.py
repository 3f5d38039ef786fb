# SPDX-License-Identifier: Apache-2.0
"""Where the reference recordings are: UPLIFT_SHARED, or the folder `shared` beside the repository.
Without them a reference test is skipped (exit code 77) with the reason on stdout."""

import os
import pathlib
import sys


def shared(*parts):
    root = os.environ.get("UPLIFT_SHARED")
    base = pathlib.Path(root) if root else pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"]).parent / "shared"
    # A work tree may lie a few folders down from where the data is.
    if not root:
        for above in list(base.parents)[:4]:
            if (above / "shared" / "data").is_dir():
                base = above / "shared"
                break
    path = base.joinpath("data", *parts)
    if not path.exists():
        print(f"skipped: no reference data at {path} (set UPLIFT_SHARED)")
        sys.exit(77)
    return path
