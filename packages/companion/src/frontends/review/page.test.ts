import { expect, test } from "vitest";
import { createPage } from "./page.ts";
import type { FrontendMessage } from "./protocol.ts";

/** A socket whose other end does not read. */
function slowSocket() {
  const sent: FrontendMessage[] = [];
  const socket = {
    OPEN: 1 as const,
    readyState: 1 as 0 | 1 | 2 | 3,
    bufferedAmount: 0,
    send: (data: unknown) => {
      sent.push(JSON.parse(String(data)));
      socket.bufferedAmount += String(data).length;
    },
    terminate: () => {
      socket.readyState = 3;
    },
  };
  return { socket, sent };
}

const draft = (content: string): FrontendMessage => ({ type: "draft", id: "1", revision: 1, content });

test("a page that does not read is cut off before it grows the companion", () => {
  const { socket, sent } = slowSocket();
  const page = createPage(socket, undefined, 190);
  for (let count = 0; count < 1000; count += 1) page.send(draft("x".repeat(50)));
  expect(sent).toHaveLength(2);
  expect(socket.readyState).toBe(3);
});

test("a flush ends with the page's answer, or when the page goes", async () => {
  const { socket } = slowSocket();
  const page = createPage(socket, undefined);
  const [answered, left] = [page.flush("1"), page.flush("2")];
  page.flushed("1");
  await answered;
  page.gone();
  await left;
});

test("a closed socket is sent nothing and waited for by nobody", async () => {
  const { socket, sent } = slowSocket();
  socket.readyState = 3;
  const page = createPage(socket, undefined);
  page.send(draft("x"));
  await page.flush("1");
  expect(sent).toEqual([]);
});
