import { writeFile } from "node:fs/promises";
import { capabilityTools, tools } from "./dist/agents/gemini-family/contract/tools.js";

/**
 * Writes src/agents/gemini-family/contract/tool-list.gen.ts from the schemas; run after the TypeScript build. Ready made, because
 * every CLI asks for it at once and the schemas take longer to load than all the rest of the connection.
 */
export async function generateToolList() {
  const text = `// Made from tools.ts and optional-capabilities.ts by "npm run generate".

/** One tool as \`tools/list\` has it. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: JsonValue };
}

/** What \`tools/list\` answers to everybody. */
export const toolList: ListedTool[] = ${toList(tools)};

/** What it may add, by what the editor can do. */
export const capabilityToolList: ListedTool[] = ${toList(capabilityTools)};

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
`;
  await writeFile(new URL("./src/agents/gemini-family/contract/tool-list.gen.ts", import.meta.url), text);
}

function toList(table) {
  const list = Object.entries(table).map(([name, { description, input }]) => {
    const { $schema: _, ...inputSchema } = input.toJSONSchema();
    return { name, description, inputSchema };
  });
  return JSON.stringify(list, null, 2);
}
