import { mostPoured, postHead, pour, type RawConnection } from "../wire/http.ts";
import { isJson, parseJson } from "../wire/json-rpc.ts";
import { demand, demandNone, quote } from "./check.ts";
import type { HttpFault } from "./fault.ts";
import type { HttpCli } from "./http-cli.ts";
import { garbage } from "./plain.ts";

/** What checks of MCP over HTTP use. */
interface Means {
  /** A CLI that has sent nothing. */
  newCli(): HttpCli;
  /** A CLI that is introduced. */
  connect(): Promise<HttpCli>;
  /** A connection on which anything at all can be sent. */
  raw(): Promise<RawConnection>;
}

/** The head of a CLI's request with a body. @param more such as what says how long that is */
export const headOf = ({ headers }: HttpCli, more: Readonly<Record<string, string | number>>): string =>
  postHead("/mcp", { ...headers, ...more });

/** A request that every session answers. */
export const list = { jsonrpc: "2.0", id: "list", method: "tools/list" };

/** Its text. */
export const listText = JSON.stringify(list);

/** The status of the answer to a CLI's request, in whatever session. */
export const statusOfList = async (cli: HttpCli): Promise<number> => (await cli.post(list)).status;

/** The status of the answer to a request with another header. */
export async function statusWith(
  { connect }: Pick<Means, "connect">,
  header: Readonly<Record<string, string>>,
): Promise<number> {
  const cli = await connect();
  return (await cli.send({ headers: { ...cli.headers, ...header }, body: listText })).status;
}

/** What proves that a notification is answered without a body. */
export const initialized = {
  check: "initialized",
  async run({ newCli }: Means) {
    const cli = newCli();
    await cli.initialize();
    const cancelled = { method: "notifications/cancelled", params: { requestId: 4711 } };
    for (const notification of [{ method: "notifications/initialized" }, cancelled]) {
      const { method } = notification;
      const { status, body } = await cli.post({ jsonrpc: "2.0", ...notification });
      demand(status === 202, `${method} must be answered 202, got ${status}`);
      demand(body === "", `${method} must be answered with no body, got ${quote(body)}`);
    }
  },
  fault: {
    status: (status) => (status === 202 ? 200 : status),
    says: /notifications\/initialized must be answered 202, got 200/,
  } satisfies HttpFault,
};

/** What proves that what is no message is refused. */
export const malformed = {
  async run({ connect }: Means) {
    const [good, bad] = [await connect(), await connect()];
    const problems: string[] = [];
    for (const body of [...garbage, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])]) {
      const reply = await bad.post(body);
      const message = parseJson(reply.body);
      const isRefused = reply.status >= 400 && reply.status < 500;
      const isError = reply.status < 300 && isJson(message) && isJson(message.error);
      const text = quote(body.toString("latin1").slice(0, 40));
      if (!isRefused && !isError) problems.push(`${text} was answered ${reply.status}`);
    }
    demandNone(problems);
    for (const cli of [good, bad]) await cli.list();
  },
  fault: {
    status: (status) => (status === 400 ? 500 : status),
    says: /"\{" was answered 500/,
  } satisfies HttpFault,
};

/** What proves that a body has a limit. */
export const bodyLimit = {
  check: "body-limit",
  mayHang: true as const,
  async run({ connect, raw }: Means) {
    const [cli, connection] = [await connect(), await raw()];
    await connection.write(headOf(cli, { "content-length": 1024 ** 3 }));
    const sent = await pour(connection);
    connection.close();
    demand(sent < mostPoured, `it read ${sent} MiB without an answer`);
    await cli.list();
  },
  // The proxy reads it whole.
  fault: { says: /it read 32 MiB without an answer/ },
};
