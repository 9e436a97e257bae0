import json
import os
import pathlib

import pytest

from server import Server


def pytest_collection_modifyitems(items):
    for name in ("REGARD_PROGRAM", "REGARD_MODEL"):
        if name not in os.environ:
            for item in items:
                item.add_marker(pytest.mark.skip(reason=f"skipped: {name} is not set"))


@pytest.fixture(scope="session")
def server():
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def languages():
    """Source and target of the model."""
    card = json.loads((pathlib.Path(os.environ["REGARD_MODEL"]) / "config.json").read_text())
    return card["from"], card["to"]
