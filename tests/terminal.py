"""Somebody at a terminal who is asked by `memora init`, and starts a server by hand: BINARY VAULT HOME."""

import os
import pty
import select
import subprocess
import sys

BINARY, VAULT, HOME = sys.argv[1:]
CONFIG = os.path.join(HOME, "config", "config.toml")

ENV = {
    "HOME": HOME,
    "TERM": "dumb",
    "MEMORA_STATE_DIR": os.path.join(HOME, "state"),
    "MEMORA_CONFIG_DIR": os.path.join(HOME, "config"),
    "MEMORA_TODAY": "2025-12-31",
    "MEMORA_TEST_WITHOUT_GATE": "1",
}


class Terminal:
    def __init__(self, *args):
        self.screen, slave = pty.openpty()
        command = [BINARY, "--vault", VAULT, *args]
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=ENV, start_new_session=True)
        os.close(slave)
        self.seen = ""

    def read(self):
        """What the program says next; nothing when it has gone."""
        ready, _, _ = select.select([self.screen], [], [], 60)
        assert ready, f"it says nothing more behind: {self.seen}"
        try:
            said = os.read(self.screen, 4096).decode(errors="replace")
        except OSError:
            return ""
        self.seen += said
        return said

    def answer(self, question, typed):
        while question not in self.seen:
            assert self.read(), f"it never asks {question!r}: {self.seen}"
        self.seen = self.seen.split(question, 1)[1]
        os.write(self.screen, typed)

    def ends(self, code):
        while self.read():
            pass
        assert self.process.wait(60) == code, self.seen
        os.close(self.screen)
        return self.seen


def config():
    with open(CONFIG) as file:
        return file.read()


# Whoever leaves in the midst of it has changed nothing.
init = Terminal("init")
init.answer("1/3", b"Mara Lindqvist\r")
init.answer("2/3", b"\x04")
said = init.ends(2)
assert "nothing was written" in said and not os.path.exists(CONFIG), said

# Answers are asked for again until they can be read, and a terminal is shown what a pipe is not.
init = Terminal("init")
init.answer("1/3", b"Mara Lindqvist\r")
init.answer("2/3", b"perhaps\r")
init.answer("2/3", b"private\r")
init.answer("3/3", b"daily\r")
said = init.ends(0)
assert "Mara Lindqvist" in said and "daily/** is secret" in said and "try next:" in said, said
written = config()
assert 'owner = "Mara Lindqvist"' in written and 'unmarked = "private"' in written and "daily/**" in written, written

# Enter keeps what is set.
init = Terminal("init")
for question in ("1/3", "2/3", "3/3"):
    init.answer(question, b"\r")
init.ends(0)
assert config() == written

# A server that is started by hand says what it waits for.
mcp = Terminal("mcp")
mcp.answer("hint: memora mcp install", b"\x04")
mcp.ends(0)

print("done")
