import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Core, startCore } from "../../companion/src/testing/core.ts";
import { send } from "../../testkit/src/fake-cli/gemini-family.ts";
import { type Fixture, type Harness, openHarness } from "./page-harness.ts";

let harness: Harness;
let fixture: Fixture;
let core: Core;
let site: Server;
/** A page of another site in the user's own browser, where the review page is open and has its cookie. */
let evil: Page;
const evilHost = "evil.example";

beforeAll(async () => {
  harness = await openHarness([evilHost]);
});
afterAll(() => harness.close());

beforeEach(async () => {
  fixture = await harness.fixture({ files: { "src/a.ts": "the text of a.ts\n" } });
  core = await startCore();
  await fixture.propose("src/a.ts", "proposed\n");
  site = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><body>evil</body>");
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  evil = await fixture.page.context().newPage();
  await evil.goto(`http://${evilHost}:${port}/`);
});

afterEach(async () => {
  await fixture.close();
  site.close();
});

/** Nothing was decided, nobody is connected, and the user goes on as if nothing had been. */
async function expectUnharmed(): Promise<void> {
  expect(fixture.decisions).toEqual([]);
  const { headers } = core.client();
  const { body } = await send(core.companion.port, { method: "GET", path: "/health", headers });
  expect(JSON.parse(body)).toMatchObject({ sessions: [], diffs: [] });
  await fixture.page.bringToFront();
  await fixture.page.getByRole("button", { name: "Accept", exact: true }).click();
  await expect.poll(() => fixture.decisions).toEqual([{ kind: "accepted", content: "proposed\n" }]);
}

test("another site's page reads nothing and decides nothing with any request", async () => {
  const bases = [fixture.frontend.url, `http://127.0.0.1:${core.companion.port}/`];
  const leaks = await evil.evaluate(attack, bases);
  // Opaque answers are all it gets: nothing to read in them.
  expect(leaks).toEqual([]);
  await expectUnharmed();
});

test("another site's page can neither frame the review page nor hold a reference to it", async () => {
  const { url } = fixture.frontend;
  await evil.evaluate((src) => {
    const frame = document.createElement("iframe");
    frame.src = src;
    document.body.append(frame);
    return new Promise((resolve) => frame.addEventListener("load", resolve));
  }, url);
  const framed = await evil.frames().at(-1)?.content();
  expect(framed).not.toContain("shop");
  await evil.evaluate((address) => {
    Reflect.set(globalThis, "hold", window.open(address));
  }, url);
  // The opener sees a closed window, which it can neither navigate nor send messages to.
  await expect.poll(() => evil.evaluate(() => Reflect.get(globalThis, "hold").closed)).toBe(true);
  await expectUnharmed();
});

test("both ports refuse a host name that was rebound to this machine", async () => {
  for (const port of [Number(new URL(fixture.frontend.url).port), core.companion.port]) {
    const answer = await evil.goto(`http://${evilHost}:${port}/`);
    expect(answer?.status()).toBe(403);
    const seen = await evil.evaluate(async () => {
      const paths = ["/", "/api/tree", "/health", "/open?key=x"];
      const answers = await Promise.all(paths.map((path) => fetch(path)));
      return answers.map(({ status }) => status);
    });
    expect(seen).toEqual([403, 403, 403, 403]);
  }
  await expectUnharmed();
});

test("a preflight request for access to this private network is refused", async () => {
  for (const port of [Number(new URL(fixture.frontend.url).port), core.companion.port]) {
    const { status, headers } = await send(port, {
      method: "OPTIONS",
      headers: {
        host: `127.0.0.1:${port}`,
        origin: `http://${evilHost}`,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
        "access-control-request-private-network": "true",
        "access-control-request-local-network": "true",
      },
    });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

/** Runs in the other site's page. @returns everything that it could read */
async function attack(bases: readonly string[]): Promise<string[]> {
  const leaks: string[] = [];
  const paths = [
    "",
    "api/tree",
    "api/proposals/1",
    "api/file?path=/etc/passwd",
    "mcp",
    "events",
    "watch",
    "health",
  ];
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
  const requests: RequestInit[] = [
    { mode: "no-cors", credentials: "include" },
    { mode: "no-cors", credentials: "include", method: "POST", body: text },
    { mode: "cors", credentials: "include" },
    { mode: "cors", method: "POST", body: text, headers: { "content-type": "application/json" } },
    { mode: "cors", method: "DELETE", headers: { "mcp-session-id": "x" } },
  ];
  const listen = (what: string, target: EventTarget, good: string, bad: string) =>
    new Promise<void>((resolve) => {
      target.addEventListener(good, () => {
        leaks.push(what);
        resolve();
      });
      target.addEventListener(bad, () => resolve());
    });
  const load = (tag: "script" | "img" | "link", address: string) => {
    const element = document.createElement(tag);
    const loaded = listen(`<${tag}> ${address}`, element, "load", "error");
    if (element instanceof HTMLLinkElement) Object.assign(element, { rel: "stylesheet", href: address });
    else element.src = address;
    document.head.append(element);
    return loaded;
  };
  const post = (address: string, enctype: string) => {
    const frame = document.createElement("iframe");
    frame.name = `frame ${Math.random()}`;
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: address, enctype, target: frame.name });
    const input = document.createElement("input");
    Object.assign(input, { name: '{"type":"diffAccepted","id":"1","content":"evil","x":"', value: '"}' });
    form.append(input);
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    form.submit();
    return loaded;
  };
  for (const base of bases) {
    for (const path of paths) {
      for (const request of requests) {
        const answer = await fetch(base + path, request).catch(() => undefined);
        if (answer && answer.type !== "opaque") leaks.push(`${request.mode} ${base}${path} ${answer.status}`);
        if (answer && (await answer.text()) !== "") leaks.push(`a text of ${base}${path}`);
      }
      await load("script", base + path);
      await load("img", base + path);
      await load("link", base + path);
      for (const enctype of ["text/plain", "multipart/form-data"]) await post(base + path, enctype);
      const events = new EventSource(base + path, { withCredentials: true });
      await listen(`events of ${base}${path}`, events, "open", "error");
      events.close();
    }
    for (const path of ["socket", "mcp", "socket?page=1"]) {
      const socket = new WebSocket(base.replace("http", "ws") + path);
      await listen(`a socket of ${base}${path}`, socket, "open", "error");
    }
  }
  return leaks;
}
