import { expect, test } from "vitest";
import { createPage } from "./page.ts";
import type { FrontendMessage } from "./protocol.ts";

/** A socket whose other end reads when the test says so. */
function slowSocket() {
  const sent: FrontendMessage[] = [];
  const written: (() => void)[] = [];
  const socket = {
    OPEN: 1 as const,
    readyState: 1 as 0 | 1 | 2 | 3,
    bufferedAmount: 0,
    send: (data: unknown, done?: unknown) => {
      sent.push(JSON.parse(String(data)));
      socket.bufferedAmount += String(data).length;
      if (typeof done === "function") written.push(() => done());
    },
  };
  const drain = () => {
    socket.bufferedAmount = 0;
    for (const done of written.splice(0)) done();
  };
  return { socket, sent, drain };
}

const statusOf = (focusedAt: number): FrontendMessage => ({
  type: "status",
  ...{ sessions: [], turns: [], context: { files: [{ path: "/a", focusedAt }] } },
  ...{ excluded: [], paused: false, review: [] },
});
const draft = (content: string): FrontendMessage => ({ type: "draft", id: "1", revision: 1, content });

test("a page that does not read gets only the newest of each state once it reads again", () => {
  const { socket, sent, drain } = slowSocket();
  const page = createPage(socket, undefined, 190);
  page.send(draft("x".repeat(200)));
  for (let count = 1; count <= 1000; count += 1) page.send(statusOf(count));
  page.send({ type: "roots", roots: [] });
  expect(sent).toHaveLength(1);
  drain();
  expect(sent.slice(1)).toEqual([statusOf(1000), { type: "roots", roots: [] }]);
});

test("drafts and answers to decisions are never left out", () => {
  const { socket, sent } = slowSocket();
  const page = createPage(socket, undefined, 10);
  for (const text of ["one", "two", "three"]) page.send(draft(text));
  page.send({ type: "answered", ask: 1 });
  expect(sent).toHaveLength(4);
});

test("a state that was put off does not overtake a newer one", () => {
  const { socket, sent, drain } = slowSocket();
  const page = createPage(socket, undefined, 10);
  page.send(draft("x".repeat(20)));
  page.send(statusOf(1));
  socket.bufferedAmount = 0;
  page.send(statusOf(2));
  drain();
  expect(sent.slice(1)).toEqual([statusOf(2)]);
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
