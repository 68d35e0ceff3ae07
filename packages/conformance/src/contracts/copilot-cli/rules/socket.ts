import { isUtf8 } from "node:buffer";
import { lstat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, isAbsolute } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { mostPoured, postHead, pour, type RawConnection } from "../../../wire/http.ts";
import { demand, demandNone, modeOf, quote, unless } from "../../check.ts";
import type { HttpCli } from "../../http-cli.ts";
import { observed, recommended } from "../../requirement.ts";
import type { CopilotGroup } from "./means.ts";

/** The head of a request with a body. @param length what says how long that is */
const headOf = ({ headers }: HttpCli, length: Readonly<Record<string, string | number>>): string =>
  postHead("/mcp", { ...headers, ...length });

const list = { jsonrpc: "2.0", id: "list", method: "tools/list" };

/** Bodies that are no message. */
const garbage: readonly (string | Buffer)[] = [
  "",
  "{",
  "[]",
  "null",
  "7",
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":7}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  "[".repeat(100_000),
];

async function sendChunk(connection: RawConnection, piece: Buffer): Promise<void> {
  const size = Buffer.from(`${piece.length.toString(16)}\r\n`);
  await connection.write(Buffer.concat([size, piece, Buffer.from("\r\n")]));
}

export const socketRules: CopilotGroup = {
  PS1: {
    MUST: "`socketPath` is the absolute path of a socket with the scheme `unix`, or the name of a pipe with the scheme `pipe`.",
    sources: observed("The CLI sends HTTP to it, with the path `/mcp` and the Host `localhost`."),
    check: "socket-path",
    async run({ target: { socketPath, lock }, connect }) {
      const isPipe = process.platform === "win32";
      const isPath = isPipe ? socketPath.startsWith("\\\\.\\pipe\\") : isAbsolute(socketPath);
      const scheme = isPipe ? "pipe" : "unix";
      demandNone([
        ...unless(isPath, `socketPath is ${socketPath}, which is no ${isPipe ? "pipe" : "absolute path"}`),
        ...unless(lock.content.scheme === scheme, `scheme is ${quote(lock.content.scheme)}, not "${scheme}"`),
      ]);
      await connect();
    },
    fault: { lock: (content) => ({ ...content, scheme: "http" }), says: /scheme is "http", not "unix"/ },
  },
  PS2: {
    isSecurity: true,
    MUST: "Nobody but its user can connect: the socket is in a folder of its user with mode 0700, and has mode 0600.",
    sources: recommended("On a system with several users the modes are the first guard."),
    check: "private-socket",
    async run({ target: { socketPath } }) {
      const folder = dirname(socketPath);
      const [folderMode, mode] = [await modeOf(folder), await modeOf(socketPath)];
      const { uid } = await lstat(folder);
      demandNone([
        ...unless((folderMode & 0o077) === 0, `${folder} has mode ${folderMode.toString(8)}, not 700`),
        ...unless((mode & 0o077) === 0, `the socket has mode ${mode.toString(8)}, not 600`),
        ...unless(uid === userInfo().uid, `${folder} belongs to user ${uid}`),
      ]);
    },
    fault: { socketFolderMode: 0o755, says: /has mode 755, not 700/ },
  },
  PS3: {
    isSecurity: true,
    MUST: "A request without the headers of the lock file is answered 401, with a text for people.",
    sources: observed("The CLI sends these headers with every request. It shows its user the text of a 401."),
    check: "wrong-header",
    async run({ newCli, target }) {
      const cli = newCli();
      const names = Object.keys(target.headers).map((name) => name.toLowerCase());
      demand(names.length > 0, "the lock file has no headers: every program of this machine is let in");
      const others = Object.entries(cli.headers).filter(([name]) => !names.includes(name.toLowerCase()));
      const alter = (change: (value: string) => string) =>
        Object.fromEntries(Object.entries(target.headers).map(([name, value]) => [name, change(value)]));
      const guesses = {
        none: {},
        "an empty": alter(() => ""),
        "a shorter": alter((value) => value.slice(0, -1)),
        another: alter((value) => `${value.slice(0, -8)}xxxxxxxx`),
      };
      const problems: string[] = [];
      for (const [which, guess] of Object.entries(guesses)) {
        const headers = { ...Object.fromEntries(others), ...guess };
        const { status, body } = await cli.send({ headers, body: JSON.stringify(list) });
        if (status !== 401) problems.push(`with ${which} header a request was answered ${status}, not 401`);
        else if (body.trim() === "") problems.push(`with ${which} header the answer has no text`);
      }
      demandNone(problems);
    },
    fault: {
      head: ({ headers, token }) =>
        headers.authorization?.length === token.length ? { ...headers, authorization: token } : headers,
      says: /^with another header a request was answered 400, not 401$/,
    },
  },
  PS4: {
    isSecurity: true,
    MUST: "A request with an `Origin` is refused.",
    sources: recommended("The CLI sends none. A web page may reach the socket through another program."),
    check: "web-page",
    async run({ connect }) {
      const cli = await connect();
      const problems: string[] = [];
      for (const origin of ["https://example.com", "http://localhost", "null"]) {
        const { status } = await cli.send({ method: "GET", headers: { ...cli.headers, origin } });
        if (status < 400) problems.push(`with the Origin ${origin} a request was answered ${status}`);
      }
      demandNone(problems);
    },
    fault: {
      head: ({ headers: { origin: _, ...headers } }) => headers,
      says: /with the Origin https:\/\/example\.com a request was answered 200/,
    },
  },
  PS5: {
    isSecurity: true,
    SHOULD: "A request for another Host than `localhost` is refused.",
    sources: recommended("It has come through another program."),
    check: "foreign-host",
    async run({ connect }) {
      const cli = await connect();
      const headers = { ...cli.headers, host: "example.com", accept: "text/event-stream" };
      const { status } = await cli.send({ method: "GET", headers });
      demand(status >= 400, `with the Host example.com a request was answered ${status}`);
    },
    fault: {
      head: ({ headers }) => ({ ...headers, host: "localhost" }),
      says: /with the Host example\.com a request was answered 200/,
    },
  },
  PS6: {
    MUST: "A body may be chunked, and may come in pieces.",
    sources: observed("The CLI sends every body chunked."),
    check: "pieces",
    async run({ connect, raw }) {
      const [cli, connection] = [await connect(), await raw()];
      const body = Buffer.from(JSON.stringify({ ...list, params: { _meta: { note: "😀" } } }));
      await connection.write(headOf(cli, { "transfer-encoding": "chunked", connection: "close" }));
      const middle = body.indexOf("😀") + 2;
      for (const piece of [body.subarray(0, 9), body.subarray(9, middle), body.subarray(middle)]) {
        await sendChunk(connection, piece);
        await delay(30);
      }
      await connection.write("0\r\n\r\n");
      const status = await connection.status();
      demand(status === 200, `tools/list in three chunks was answered ${status ?? "with nothing"}, not 200`);
    },
    fault: { takes: isUtf8, says: /tools\/list in three chunks was answered/ },
  },
  PS7: {
    MUST: "What is no message is refused, and harms nobody.",
    sources: recommended("Any program of the user can connect."),
    check: "garbage",
    async run({ connect }) {
      const [good, bad] = [await connect(), await connect()];
      const problems: string[] = [];
      for (const body of garbage) {
        const { status } = await bad.post(body);
        const text = JSON.stringify(body.toString("latin1").slice(0, 40));
        if (status < 400 || status >= 500) problems.push(`${text} was answered ${status}`);
      }
      demandNone(problems);
      for (const cli of [good, bad]) await cli.list();
    },
    fault: { status: (status) => (status === 400 ? 500 : status), says: /"\{" was answered 500/ },
  },
  PS8: {
    MUST: "A body without end is not read forever.",
    sources: recommended("It would fill the memory."),
    check: "body-limit",
    mayHang: true,
    async run({ connect, raw }) {
      const cli = await connect();
      const connection = await raw();
      await connection.write(headOf(cli, { "content-length": 1024 ** 3 }));
      const sent = await pour(connection);
      connection.close();
      demand(sent < mostPoured, `it read ${sent} MiB without an answer`);
      await cli.list();
    },
    fault: { says: /it read 32 MiB without an answer/ },
  },
  PS9: {
    MUST: "Several CLIs are served at once.",
    sources: observed("Users run one CLI for each task. Their request ids are the same."),
    check: "several-clis",
    async run({ connect }) {
      const clis = [await connect(), await connect(), await connect()];
      await Promise.all(clis.map((cli) => cli.list()));
      for (const cli of clis) await cli.list();
    },
    fault: {
      down: (message, { all, memory }) => (all.at(-1)?.memory === memory ? message : undefined),
      says: /got no answer within|was not answered within/,
    },
  },
};
