import { writeFile } from "node:fs/promises";
import { notifications } from "./dist/agents/gemini-family/contract/context.js";
import { DiscoveryFile } from "./dist/agents/gemini-family/contract/discovery.js";
import { HealthReport } from "./dist/agents/gemini-family/contract/health.js";
import { capabilityTools, Diagnostics, tools } from "./dist/agents/gemini-family/contract/tools.js";
import { messages, protocolVersion } from "./dist/frontends/protocol/messages.js";

/**
 * Writes src/agents/gemini-family/contract/tool-list.gen.ts from the schemas; run after the TypeScript build. Ready made, because
 * every CLI asks for it at once and the schemas take longer to load than all the rest of the connection.
 */
export async function generateToolList() {
  const text = `// Made from tools.ts by "npm run generate".

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

/** Writes docs/reference/messages.gen.md from the schemas; run after the TypeScript build. */
export async function documentMessages() {
  const parts = [
    "# Messages",
    "Generated from the schemas in `packages/companion/src/agents/gemini-family/contract`. [contract.md](contract.md) says when each is sent.",
    "## Tools",
    ...Object.entries(tools).flatMap(toolSection),
    "## Further tools, where the editor can",
    "Listed to clients that announce themselves.",
    ...Object.entries(capabilityTools).flatMap(toolSection),
    "`getDiagnostics` answers with this object, as structured content and as JSON in a text block:",
    fieldTable(Diagnostics),
    "## Notifications on the MCP stream",
    ...Object.values(notifications).flatMap(section),
    "## Discovery file",
    fieldTable(DiscoveryFile),
    "## `GET /health`, for the holder of a token",
    fieldTable(HealthReport),
    "## Between an editor's plugin and `ide-companion lsp`",
    "[protocol.md](protocol.md) describes when each is sent.",
    ...Object.values(messages).flatMap(section),
  ];
  await writeFile(
    new URL("../../docs/reference/messages.gen.md", import.meta.url),
    `${parts.join("\n\n")}\n`,
  );
}

/** Writes protocol.gen.json, the JSON Schema of every message between a plugin and the server; run after the build. */
export async function publishSchema() {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Messages between an editor's plugin and ide-companion lsp",
    description: `Version ${protocolVersion} of the protocol: as openDiff.params and openDiff.answer, those of companion/openDiff.`,
    $defs: Object.fromEntries(Object.values(messages).flatMap(definitions)),
  };
  await writeFile(new URL("./protocol.gen.json", import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}

function definitions({ method, params, answer }) {
  const parts = { params, ...(answer !== undefined && { answer }) };
  return Object.entries(parts).map(([part, of]) => {
    const { $schema: _, ...definition } = of.toJSONSchema();
    return [`${method.replace("companion/", "")}.${part}`, definition];
  });
}

const toolSection = ([name, { description, input }]) => [`### \`${name}\``, description, fieldTable(input)];

function section({ method, params, answer }) {
  const parts = [`### \`${method}\``, fieldTable(params)];
  if (answer?.shape !== undefined) parts.push("Answer:", fieldTable(answer));
  return parts;
}

/** One row a field, nested ones by their whole path. */
function fieldTable(schema) {
  const rows = [...fields(schema.toJSONSchema(), "")];
  return ["| field | type | |", "|---|---|---|", ...rows].join("\n");
}

function* fields(schema, prefix) {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = `${prefix}${name}`;
    const need = schema.required?.includes(name) ? "" : "optional";
    const about = [need, field.description].filter(Boolean).join(". ");
    yield `| \`${path}\` | ${typeOf(field)} | ${about} |`;
    if (field.type === "array") yield* fields(field.items, `${path}[].`);
    else yield* fields(field, `${path}.`);
  }
}

function typeOf({ type, items, anyOf, enum: words, const: literal }) {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(" or ");
  if (literal !== undefined) return `\`${JSON.stringify(literal)}\``;
  if (Array.isArray(type)) return type.join(" or ");
  return type === "array" ? `array of ${typeOf(items)}` : type;
}

function toList(table) {
  const list = Object.entries(table).map(([name, { description, input }]) => {
    const { $schema: _, ...inputSchema } = input.toJSONSchema();
    return { name, description, inputSchema };
  });
  return JSON.stringify(list, null, 2);
}
