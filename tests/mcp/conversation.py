"""A conversation of the official client with `memora mcp`: BINARY VAULT HOME CLAIM.

Every result of a call is checked by the client against the output schema that the server publishes.
"""

import asyncio
import os
import sys

from mcp import Client, MCPError, StdioServerParameters

BINARY, VAULT, HOME, CLAIM = sys.argv[1:]

TOOLS = {"memora_find", "memora_read", "memora_about", "memora_verify", "memora_review"}


def server(*args, vault=VAULT):
    env = {
        "HOME": HOME,
        "MEMORA_STATE_DIR": os.path.join(HOME, "python-state"),
        "MEMORA_CONFIG_DIR": os.path.join(HOME, "config"),
        "MEMORA_TODAY": "2025-12-31",
        "MEMORA_TEST_WITHOUT_GATE": "1",
    }
    return StdioServerParameters(command=BINARY, args=["--vault", vault, "mcp", "--structured", *args], env=env)


async def told(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, result.content)
    return result.structured_content


async def failed(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert result.is_error, (tool, result)
    text = result.content[0].text
    assert text.startswith("error: ") and "\nhint: " in text, text
    return text


async def list_query_draft_verify(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == TOOLS, tools
    for tool in tools.values():
        assert tool.annotations.read_only_hint and not tool.annotations.open_world_hint, tool
        assert tool.input_schema["additionalProperties"] is False and tool.output_schema, tool

    answer = await told(client, "memora_find", question="Where does Anna work?")
    assert answer["status"] == "found" and answer["fresh"], answer
    lines = [line for passage in answer["passages"] for line in passage["lines"]]
    cited = next(line for line in lines if "works at Tidewell" in line["text"])

    good = f"Anna works at Tidewell [claim:{cited['claim']}]."
    bad = f"Anna works at Nordwind [claim:{cited['claim']}]. Anna flies kites [claim:000000000000]."
    verified = await told(client, "memora_verify", text=good)
    assert verified["status"] == "supported" and verified["clean_text"] == good, verified
    mixed = await told(client, "memora_verify", text=f"{good} {bad}")
    assert mixed["status"] == "partial" and mixed["clean_text"].strip() == good, mixed
    assert [problem["verdict"] for problem in mixed["problems"]] == ["paraphrased", "unsupported", "rejected"], mixed

    claim = (await told(client, "memora_read", claim=CLAIM))["claim"]
    assert claim["status"] == "current" and "works at Tidewell" in claim["claims"][0]["quote"], claim
    about = await told(client, "memora_about", name="Anna Brandt")
    assert about["status"] == "found" and about["next"], about
    more = await told(client, "memora_about", name="Anna Brandt", **{"from": about["next"]})
    ids = [claim["claim"] for claim in about["claims"] + more["claims"]]
    assert len(more["claims"]) > 0 and len(ids) == len(set(ids)), ids


async def mistakes(client):
    await failed(client, "memora_find")
    await failed(client, "memora_find", question="Anna", frobnicate=1)
    await failed(client, "memora_verify", text="word " * 20_000)
    # As large as a message may be, and a little more than any tool takes.
    await failed(client, "memora_verify", text="x" * (4 << 20))
    try:
        await client.call_tool("memora_frobnicate", {})
        raise AssertionError("there is no such tool")
    except MCPError as error:
        assert error.error.code == -32602, error
    found = await told(client, "memora_find", question="Anna")
    assert found["status"] == "found", found


async def cancelled(client):
    calls = [asyncio.create_task(told(client, "memora_find", question="Anna")) for _ in range(8)]
    await asyncio.sleep(0)
    calls[3].cancel()
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(result, dict) for result in done) >= 7, done
    assert (await told(client, "memora_find", question="Anna"))["status"] == "found"


async def hears_how_far_the_index_is():
    vault = os.path.join(HOME, "many")
    os.makedirs(os.path.join(vault, ".obsidian"))
    for number in range(1_500):
        with open(os.path.join(vault, f"{number}.md"), "w") as note:
            note.write(f"Person {number} works at Tidewell.\n")
    heard = []

    async def hear(progress, total, message):
        heard.append((progress, total))

    async with Client(server(vault=vault)) as client:
        result = await client.call_tool("memora_find", {"question": "Tidewell"}, progress_callback=hear)
        assert result.structured_content["status"] == "found", result
        assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)], heard


async def main():
    # The newest way to begin, and the handshake that older clients begin with.
    for mode in ("auto", "legacy"):
        async with Client(server(), mode=mode) as client:
            await list_query_draft_verify(client)
            await mistakes(client)
            await cancelled(client)
    # A secret, for a client that the user vouched for and for one that not.
    for args, shown in ((), False), (("--client", "local"), True):
        async with Client(server(*args)) as client:
            salary = await told(client, "memora_find", question="What does Anna earn a month?")
            assert ("6,840" in str(salary)) == shown, salary
    # A note of the client's own, where the user allows it.
    async with Client(server("--allow-capture")) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == TOOLS | {"memora_capture"}, tools
        assert not tools["memora_capture"].annotations.read_only_hint, tools["memora_capture"]
        bad = await told(client, "memora_capture", title="Heard", text="Anna flies kites [claim:000000000000].")
        assert bad["status"] == "refused" and bad["path"] is None, bad
        good = await told(client, "memora_capture", title="Heard", text=f"Anna works at Tidewell [claim:{CLAIM}].")
        assert good["status"] == "captured" and good["path"].startswith("Memora/Heard"), good
        await failed(client, "memora_capture", title="../out", text="x" * (64 << 10))
    await hears_how_far_the_index_is()
    print("done")


asyncio.run(asyncio.wait_for(main(), 300))
