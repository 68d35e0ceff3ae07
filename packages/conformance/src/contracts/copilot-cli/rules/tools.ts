import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { demand, demandNone, quote } from "../../check.ts";
import { withSchema } from "../../fault.ts";
import { mcp, observed } from "../../requirement.ts";
import { reporting } from "../faults.ts";
import { type CopilotGroup, callTool, plain } from "./means.ts";

/** The arguments of the tools that the CLI calls. */
const calledTools: Readonly<Record<string, readonly string[]>> = {
  open_diff: ["original_file_path", "new_file_contents", "tab_name"],
  close_diff: ["tab_name"],
  get_selection: [],
  get_diagnostics: ["uri"],
  update_session_name: ["name"],
};

/** @param wanted names of arguments, each a text */
function problemsOf({ name, inputSchema }: Json, wanted: readonly string[]): string[] {
  const properties = isJson(inputSchema) ? inputSchema.properties : undefined;
  const isText = (argument: string) => {
    const schema = isJson(properties) ? properties[argument] : undefined;
    return isJson(schema) && schema.type === "string";
  };
  return wanted
    .filter((argument) => !isText(argument))
    .map((argument) => `${name} does not list the text ${argument}`);
}

export const toolsRules: CopilotGroup = {
  PI10: {
    MUST: "`open_diff`, `close_diff`, `get_selection`, `get_diagnostics` and `update_session_name` are listed, each with its arguments as texts.",
    sources: observed("The CLI calls these. Its model sees `get_selection` and `get_diagnostics`."),
    check: "tool-list",
    async run({ connect }) {
      const listed = await (await connect()).list();
      const problems = Object.entries(calledTools).flatMap(([name, wanted]) => {
        const tool = listed.find((one) => one.name === name);
        return tool ? problemsOf(tool, wanted) : [`${name} is not listed`];
      });
      demandNone(problems);
    },
    fault: {
      down: withSchema("close_diff", {}),
      says: /^close_diff does not list the text tab_name$/,
    },
  },
  PI11: {
    MUST: "`ping` is answered, and an unknown method with the error -32601.",
    sources: mcp("ping", "The receiver must respond promptly with an empty response."),
    ...plain.requests,
  },
  PI12: {
    SHOULD: "An unknown tool is answered with an error.",
    sources: mcp("tools", "Unknown tools are protocol errors."),
    ...plain.unknownTool,
  },
  PI13: {
    SHOULD: "`update_session_name` is answered `{success: true}`.",
    sources: observed("The CLI calls it for a conversation with a name, and whenever that changes."),
    check: "session-name",
    async run({ connect }) {
      const cli = await connect();
      for (const name of ["hello there", "", "😀".repeat(5000)]) {
        const answer = await callTool(cli, "update_session_name", { name });
        demand(isJson(answer) && answer.success === true, `it was answered ${quote(answer)}`);
      }
    },
    fault: { down: reporting("update_session_name", () => ({})), says: /it was answered \{\}/ },
  },
};
