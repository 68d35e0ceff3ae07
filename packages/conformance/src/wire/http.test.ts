import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { exchange } from "./http.ts";

test("an answer whose body never ends counts as none", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  let unanswered = 0;
  const onUnanswered = () => {
    unanswered += 1;
  };
  const line = { port, signal: new AbortController().signal, answerWithin: 500, onUnanswered };
  await expect(exchange(line, {})).rejects.toThrow("the body of an answer did not end within 0.5 s");
  expect(unanswered).toBe(1);
});
