import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createTestChange } from "../../testing/test-change.ts";
import { startReviewFrontend } from "./review-frontend.ts";
import { admitVisitor, ask, proposalOf, startTestFrontend } from "./testing/visitor.ts";

test("a link opens the page once: its key becomes a cookie", async () => {
  const { frontend } = await startTestFrontend();
  const link = frontend.newLink();
  const opened = await ask(link);
  expect(opened.status).toBe(303);
  expect(opened.headers.location).toBe("/");
  const cookie = String(opened.headers["set-cookie"]);
  expect(cookie).toMatch(
    new RegExp(`^ide-companion-${new URL(frontend.url).port}=.*; HttpOnly; SameSite=Strict; Path=/$`),
  );
  expect((await ask(frontend.url, { cookie })).status).toBe(200);
  const again = await ask(link);
  expect(again.status).toBe(401);
  expect(again.body).toContain("This link has been used");
});

test("a used link takes a browser that is already in to the page", async () => {
  const { frontend } = await startTestFrontend();
  const link = frontend.newLink();
  const cookie = String((await ask(link)).headers["set-cookie"]);
  expect(await ask(link, { cookie })).toMatchObject({ status: 303 });
});

test("without the cookie there is an explanation, for the API as JSON", async () => {
  const { frontend } = await startTestFrontend();
  const page = await ask(frontend.url);
  expect(page.status).toBe(401);
  expect(page.body).toContain("<h1>This page needs its link</h1>");
  expect(page.body).not.toContain("<script");
  expect(page.body).not.toContain("http-equiv");
  const nonce = /<style nonce="([\w-]+)">/.exec(page.body)?.[1];
  expect(page.headers["content-security-policy"]).toContain(`style-src 'self' 'nonce-${nonce}'`);
  const api = await ask(`${frontend.url}api/tree`);
  expect(api).toMatchObject({ status: 401, json: { error: expect.stringContaining("link") } });
});

test("a link followed from another site asks again from its own, where the cookie is sent", async () => {
  const { frontend } = await startTestFrontend();
  const { body, status } = await ask(frontend.url, { "sec-fetch-site": "cross-site" });
  expect(status).toBe(401);
  expect(body).toContain('<meta http-equiv="refresh" content="0;url=/">');
  expect((await ask(frontend.url, { "sec-fetch-site": "same-origin" })).body).not.toContain("http-equiv");
});

test("another host name, another origin and another site are refused", async () => {
  const { frontend } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const { port } = new URL(frontend.url);
  const refused = async (headers: Record<string, string>) =>
    expect(await visitor.get("api/tree", headers)).toMatchObject({
      status: 403,
      json: { error: expect.any(String) },
    });
  await refused({ host: `evil.example:${port}` });
  await refused({ host: "127.0.0.1" });
  await refused({ origin: "http://evil.example" });
  await refused({ origin: "null" });
  await refused({ origin: `http://localhost:${port}` });
  await refused({ "sec-fetch-site": "cross-site" });
  await refused({ "sec-fetch-site": "same-site" });
  expect(await visitor.get("api/tree", { host: `localhost:${port}` })).toMatchObject({ status: 200 });
  expect(await visitor.get("api/tree", { origin: frontend.url.slice(0, -1) })).toMatchObject({ status: 200 });
});

test("another companion's cookie does not open this one", async () => {
  const [one, other] = [await startTestFrontend(), await startTestFrontend()];
  const { cookie } = await admitVisitor(one.frontend);
  expect((await ask(`${other.frontend.url}api/tree`, { cookie })).status).toBe(401);
});

test("what would change something is refused, with or without our origin", async () => {
  const { frontend } = await startTestFrontend();
  const { cookie } = await admitVisitor(frontend);
  expect((await ask(`${frontend.url}api/tree`, { cookie }, "POST")).status).toBe(403);
  const origin = frontend.url.slice(0, -1);
  expect((await ask(`${frontend.url}api/tree`, { cookie, origin }, "POST")).status).toBe(405);
});

test("every answer carries the headers that keep other pages out", async () => {
  const { frontend } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const { port } = new URL(frontend.url);
  for (const path of ["", "api/tree", "assets/main-ABCDEFG2.js", "nothing", "open?key=x"]) {
    const { headers } = await visitor.get(path);
    expect(headers["content-security-policy"]).toMatch(
      new RegExp(
        "^default-src 'none'; script-src 'self'; style-src 'self'( 'nonce-[\\w-]+')?; img-src 'self' data:; " +
          `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}; ` +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'$",
      ),
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("the page gets a new nonce every time, and only hashed assets are kept", async () => {
  const { frontend } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const nonceOf = async () => /content="([\w-]{22})"/.exec((await visitor.get("")).body)?.[1];
  const [one, other] = [await nonceOf(), await nonceOf()];
  expect(one).toBeDefined();
  expect(one).not.toBe(other);
  const caching = async (path: string) => (await visitor.get(path)).headers["cache-control"];
  expect(await caching("")).toBe("no-store");
  expect(await caching("api/tree")).toBe("no-store");
  expect(await caching("assets/file-selector.js")).toBe("no-store");
  expect(await caching("assets/main-ABCDEFG2.js")).toBe("private, max-age=31536000, immutable");
});

test("what is large goes compressed, as the browser takes it, and stays what it is", async () => {
  const { frontend, root } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const text = "the same line again\n".repeat(10_000);
  writeFileSync(join(root, "large.txt"), text);
  const path = `api/file?path=${encodeURIComponent(join(root, "large.txt"))}`;
  for (const taken of ["x, gzip", "gzip;q=0.5, br", "GZIP"]) {
    const { headers, bytes } = await visitor.get(path, { "accept-encoding": taken });
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(bytes.length).toBeLessThan(text.length / 100);
    expect(JSON.parse(gunzipSync(bytes).toString()).text).toBe(text);
  }
  for (const refused of ["identity", "br, gzip;q=0.0", "x-gzip", ""]) {
    const { headers, bytes } = await visitor.get(path, { "accept-encoding": refused });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(bytes.toString()).text).toBe(text);
  }
});

test("assets are files of their folder and nothing else", async () => {
  const { frontend } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const script = await visitor.get("assets/main-ABCDEFG2.js");
  expect(script).toMatchObject({ status: 200, body: "main();" });
  expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  for (const path of [
    "assets",
    "assets/",
    "..%2fpackage.json",
    "%2e%2e/x",
    "assets//main.js",
    ".env",
    "a%00.js",
  ]) {
    expect((await visitor.get(path)).status, path).toBe(404);
  }
});

test("a page that is not built says so", async () => {
  const { frontend } = await startTestFrontend({ assets: join(privateFolder(), "none") });
  const visitor = await admitVisitor(frontend);
  expect(await visitor.get("")).toMatchObject({ status: 500, body: expect.stringContaining("index.html") });
});

test("files are read inside the roots and nowhere else", async () => {
  const { frontend, root } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const outside = privateFolder();
  writeFileSync(join(outside, "secret"), "secret");
  writeFileSync(join(root, "a"), "\uFEFFa\r\n");
  mkdirSync(join(root, "folder"));
  symlinkSync(join(outside, "secret"), join(root, "link"));
  symlinkSync(outside, join(root, "frontend"));
  const size = 6;
  expect((await visitor.readFile(join(root, "a"))).json).toMatchObject({
    kind: "text",
    text: "\uFEFFa\r\n",
    size,
  });
  expect((await visitor.readFile(join(root, "new"))).json).toEqual({ kind: "missing" });
  expect((await visitor.readFile(join(root, "folder"))).json).toEqual({ kind: "folder" });
  for (const path of [
    `${root}/../x`,
    join(outside, "secret"),
    join(root, "link"),
    join(root, "frontend", "secret"),
  ]) {
    const { status, json } = await visitor.readFile(path);
    expect({ status, json }, path).toEqual({
      status: 403,
      json: { error: expect.stringContaining("outside") },
    });
  }
  expect((await visitor.get(`api/tree?path=${encodeURIComponent(join(root, "frontend"))}`)).status).toBe(403);
});

test("a path that can name no file is refused with a sentence", async () => {
  const { frontend } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const why = async (path: string) => {
    const { status, json } = await visitor.readFile(path);
    expect(status).toBe(400);
    return json.error;
  };
  expect(await why("")).toBe("path must be an absolute path, got an empty string.");
  expect(await why("src/a.ts")).toBe('path must be absolute, got "src/a.ts".');
  expect(await why("/a\0b")).toBe('path must not contain a NUL character, got "/a\\u0000b".');
  expect(await why(`/${"a".repeat(4096)}`)).toBe(
    "path must be at most 4096 characters long, got 4097 characters.",
  );
  expect((await visitor.get("api/nothing")).status).toBe(404);
  expect((await visitor.get("api/file/x")).status).toBe(404);
});

test.skipIf(process.platform === "win32")("a named pipe is answered at once", async () => {
  const { frontend, root } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  execFileSync("mkfifo", [join(root, "pipe")]);
  expect((await visitor.readFile(join(root, "pipe"))).json).toMatchObject({ kind: "unreadable" });
});

test("a file outside the roots is read while a proposal or the history names it", async () => {
  const { frontend, root } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const path = join(privateFolder(), "elsewhere");
  writeFileSync(path, "elsewhere\n");
  expect((await visitor.readFile(path)).status).toBe(403);
  const proposal = proposalOf(path, "new\n");
  const change = createTestChange(proposal);
  await frontend.editor.show(change);
  frontend.onEvent({ kind: "diff-opened", proposal });
  expect((await visitor.readFile(path)).json).toMatchObject({ text: "elsewhere\n" });
  await frontend.editor.hide(change, "agent");
  change.end();
  expect((await visitor.readFile(path)).status).toBe(403);
  frontend.onEvent({ kind: "diff-settled", proposal, settlement: { kind: "rejected", by: "user" } });
  expect((await visitor.readFile(path)).status).toBe(200);
  expect((await visitor.readFile(join(path, "..", "other"))).status).toBe(403);
  expect(root).not.toBe(path);
});

test("tree and search know the roots, and other ones at once", async () => {
  const { frontend, root } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  writeFileSync(join(root, "note.md"), "");
  expect((await visitor.get("api/tree")).json).toMatchObject([{ path: root, kind: "folder" }]);
  expect((await visitor.get(`api/tree?path=${root}`)).json).toMatchObject([{ name: "note.md" }]);
  expect((await visitor.get("api/search?q=note")).json).toEqual([
    { path: join(root, "note.md"), label: "note.md" },
  ]);
  const other = privateFolder();
  frontend.setRoots([other]);
  expect((await visitor.get("api/tree")).json).toMatchObject([{ path: other }]);
  expect((await visitor.get("api/search?q=note")).json).toEqual([]);
  expect((await visitor.readFile(join(root, "note.md"))).status).toBe(403);
});

test("what is no HTTP address is refused and the frontend stands", async () => {
  const { frontend } = await startTestFrontend();
  const { port, host } = new URL(frontend.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.end(`GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
  expect((await ask(frontend.url)).status).toBe(401);
});

test("a port in use is an error, and the secret of an earlier run lets its pages back in", async () => {
  const { frontend } = await startTestFrontend({ secret: "kept" });
  const { cookie } = await admitVisitor(frontend);
  const port = Number(new URL(frontend.url).port);
  await expect(startReviewFrontend({ roots: [], port })).rejects.toThrow(/EADDRINUSE/);
  await frontend.close();
  const again = await startTestFrontend({ secret: "kept", port });
  expect((await ask(again.frontend.url, { cookie })).status).toBe(200);
});
