import { isUtf8 } from "node:buffer";
import { dirname, isAbsolute } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RawConnection } from "../../../wire/http.ts";
import { demand, demandNone, problemsOfPrivacy, quote, unless } from "../../check.ts";
import { bodyLimit, headOf, list, malformed, statusWith } from "../../http-checks.ts";
import { guardChecks } from "../../plain.ts";
import { observed, recommended } from "../../requirement.ts";
import { type CopilotGroup, type Means, plain } from "./means.ts";

const { webPage, foreignHost } = guardChecks<Means>(statusWith, () => "");

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
      demandNone(await problemsOfPrivacy([dirname(socketPath), socketPath]));
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
    ...webPage,
  },
  PS5: {
    isSecurity: true,
    SHOULD: "A request for another Host than `localhost` is refused.",
    sources: recommended("It has come through another program."),
    ...foreignHost,
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
    ...malformed,
  },
  PS8: {
    MUST: "A body without end is not read forever.",
    sources: recommended("It would fill the memory."),
    ...bodyLimit,
  },
  PS9: {
    MUST: "Several CLIs are served at once.",
    sources: observed("Users run one CLI for each task. Their request ids are the same."),
    ...plain.severalClis,
  },
};
