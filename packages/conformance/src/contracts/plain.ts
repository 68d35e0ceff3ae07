import { isJson, type Json } from "../wire/json-rpc.ts";
import { demand, demandNone, isRefusal, resultOf } from "./check.ts";
import { type Fault, nameOf, saying } from "./fault.ts";
import { isText, problemsOfFields, type Want } from "./fields.ts";

/** Sends a request. @returns its answer */
type Ask<Cli> = (cli: Cli, method: string, params: Json) => Promise<Json>;

/** What is wrong with the result of `initialize`. @param protocolVersion what it must be */
export const problemsOfIntroduction = (result: Json, protocolVersion: Want): readonly string[] =>
  problemsOfFields(result, {
    protocolVersion,
    serverInfo: (info) => isJson(info) && isText(info.name) && isText(info.version),
    capabilities: (all) => isJson(all) && isJson(all.tools),
  });

/** What is wrong with the tools that are listed. @param wanted of each tool the arguments, which are texts */
export const problemsOfTools = (
  listed: readonly Json[],
  wanted: Readonly<Record<string, readonly string[]>>,
): readonly string[] =>
  Object.entries(wanted).flatMap(([name, texts]) => {
    const tool = listed.find((one) => one.name === name);
    if (!tool) return [`${name} is not listed`];
    const { inputSchema } = tool;
    const properties = isJson(inputSchema) && isJson(inputSchema.properties) ? inputSchema.properties : {};
    const isOfText = (schema: unknown) => isJson(schema) && schema.type === "string";
    const missing = texts.filter((text) => !isOfText(properties[text]));
    return missing.map((text) => `${name} does not list the text ${text}`);
  });

/** What proves that a companion answers what MCP and JSON-RPC have for every server, in any contract. */
export const plainChecks = <Cli>(ask: Ask<Cli>) => ({
  severalClis: {
    check: "several-clis",
    async run({ connect }: { connect(): Promise<Cli> }) {
      const clis = [await connect(), await connect(), await connect()];
      const list = async (cli: Cli) => resultOf(await ask(cli, "tools/list", {}), "tools/list");
      await Promise.all(clis.map(list));
      for (const cli of clis) await list(cli);
    },
    fault: {
      down: (message, { all, memory }) => (all.at(-1)?.memory === memory ? message : undefined),
      says: /got no answer within|was not answered within/,
    } satisfies Fault,
  },
  requests: {
    check: "plain-requests",
    async run({ connect }: { connect(): Promise<Cli> }) {
      const cli = await connect();
      resultOf(await ask(cli, "ping", {}), "ping");
      const { error } = await ask(cli, "no/such/method", {});
      const code = isJson(error) ? error.code : undefined;
      demand(code === -32601, `an unknown method was answered with the code ${code ?? "none"}, not -32601`);
    },
    fault: {
      down: (message, _, asked) =>
        nameOf(asked) === "no/such/method" ? { ...message, error: undefined, result: {} } : message,
      says: /with the code none, not -32601/,
    } satisfies Fault,
  },
  unknownTool: {
    check: "unknown-tool",
    async run({ connect }: { connect(): Promise<Cli> }) {
      const answer = await ask(await connect(), "tools/call", { name: "no_such_tool", arguments: {} });
      demand(isRefusal(answer), "an unknown tool was answered as if it had worked");
    },
    fault: {
      down: saying("no_such_tool", () => []),
      says: /answered as if it had worked/,
    } satisfies Fault,
  },
});

/** Texts that are no message. */
export const garbage: readonly string[] = [
  "",
  "{",
  "[]",
  "null",
  "7",
  '"ping"',
  '{"hello":1}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":7}',
  "[".repeat(100_000),
];

/** Asks with one more header. @returns the status of the answer */
type AskWith<Means> = (means: Means, header: Readonly<Record<string, string>>) => Promise<number>;

/** What is wrong with the answers to requests that differ by one header. */
export async function problemsOfHeader<Means>(
  means: Means,
  [name, ...values]: readonly [name: string, ...values: string[]],
  askWith: AskWith<Means>,
  isRight = (status: number) => status >= 400 && status < 500,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const value of values) {
    const status = await askWith(means, { [name.toLowerCase()]: value });
    if (!isRight(status)) problems.push(`${name}: ${value} was answered ${status}`);
  }
  return problems;
}

/** What proves that web pages are refused. @param portOf the companion, with a colon; empty without one */
export const guardChecks = <Means>(askWith: AskWith<Means>, portOf: (means: Means) => string) => ({
  webPage: {
    check: "web-page",
    async run(means: Means) {
      const own = `http://127.0.0.1${portOf(means)}`;
      const origins = ["http://example.com", "null", "http://localhost", own];
      demandNone(await problemsOfHeader(means, ["Origin", ...origins], askWith));
    },
    fault: {
      head: ({ headers: { origin: _, ...headers } }) => headers,
      says: /^Origin: http:\/\/example\.com was answered [12]/,
    } satisfies Fault,
  },
  foreignHost: {
    check: "foreign-host",
    async run(means: Means) {
      const names = ["example.com", "127.0.0.1.example.com", "localhost.example.com"];
      const hosts = names.map((name) => `${name}${portOf(means)}`);
      demandNone(await problemsOfHeader(means, ["Host", "example.com", ...hosts], askWith));
    },
    fault: {
      head: ({ headers, own }) => ({ ...headers, host: own }),
      says: /^Host: example\.com was answered [12]/,
    } satisfies Fault,
  },
});
