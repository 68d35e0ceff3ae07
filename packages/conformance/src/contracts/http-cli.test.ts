import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../testkit/src/listen.ts";
import { createLimits } from "../run/subject.ts";
import { Evidence } from "../wire/evidence.ts";
import { HttpCli, unlimited } from "./http-cli.ts";

/** A CLI of a companion that answers each request on a stream, with these messages. */
async function connect(messages: readonly object[]) {
  const faults: string[] = [];
  const answer = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(""));
  };
  const server = createServer((_, response) => answer(response));
  onTestFinished(() => void server.close());
  const port = await listen(server);
  const cli = new HttpCli({
    ...{ title: "A CLI", port, limits: createLimits(), evidence: new Evidence(), own: {} },
    ...{ clientInfo: { name: "cli", version: "1" }, protocolVersion: "2025-11-25" },
    onUnanswered: () => void faults.push("unanswered"),
  });
  return { cli, faults };
}

const request = { jsonrpc: "2.0", id: 0, method: "ping" };
const answer = { jsonrpc: "2.0", id: 0, result: {} };

test("a request of the companion by the same id is no answer", async () => {
  const { cli, faults } = await connect([request, answer]);
  expect((await cli.request("tools/list", {})).message).toEqual(answer);
  expect(faults).toEqual([]);
});

test("a request without an answer is noted, and a call that waits for the user is not", async () => {
  const { cli, faults } = await connect([request]);
  await expect(cli.call("open_diff", {}, unlimited)).rejects.toThrow("got no answer");
  expect(faults).toEqual([]);
  await expect(cli.request("tools/list", {})).rejects.toThrow("tools/list got no answer");
  expect(faults).toEqual(["unanswered"]);
});
