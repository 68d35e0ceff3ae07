import { isJson, type Json } from "../wire/json-rpc.ts";
import { demand, isRefusal, resultOf, unless } from "./check.ts";
import { answering, type Fault, nameOf } from "./fault.ts";

/** Sends a request. @returns its answer */
type Ask<Cli> = (cli: Cli, method: string, params: Json) => Promise<Json>;

/** What is wrong with the result of `initialize`, whatever the version. */
export function problemsOfIntroduction({ serverInfo, capabilities }: Json): readonly string[] {
  const isNamed =
    isJson(serverInfo) && typeof serverInfo.name === "string" && typeof serverInfo.version === "string";
  return [
    ...unless(isNamed, "the result has no serverInfo with name and version"),
    ...unless(isJson(capabilities) && isJson(capabilities.tools), "the result has no capability tools"),
  ];
}

/** What proves that a companion answers what MCP and JSON-RPC have for every server, in any contract. */
export const plainChecks = <Cli>(ask: Ask<Cli>) => ({
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
      down: (message, _, asked) => (nameOf(asked) === "no_such_tool" ? answering(asked) : message),
      says: /answered as if it had worked/,
    } satisfies Fault,
  },
});
