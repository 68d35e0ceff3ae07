import { join } from "node:path";
import fc from "fast-check";
import { send } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { anyCharacter, wordOf } from "../harness/arbitraries.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import type { Subject } from "./subject.ts";

/** What may be answered to a message, whatever is in it. */
const statuses = new Set([200, 202, 400, 404, 413, 503]);

/** @returns what was broken, or undefined */
export async function say(
  subject: Subject,
  sessionId: string | undefined,
  text: string,
): Promise<string | undefined> {
  const headers = {
    authorization: `Bearer ${subject.token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
  };
  const { status, body } = await send(subject.port, { headers, body: text });
  if (subject.hasEnded) return `the companion has ended: ${subject.output()}`;
  if (!statuses.has(status)) return `it is answered with ${status}: ${body}`;
  if (body.includes(subject.token)) return "the token is in the answer";
  if (body !== "" && !isJson(body) && !body.startsWith("event:"))
    return `the answer is no JSON: ${body.slice(0, 200)}`;
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const keys = wordOf(
  "jsonrpc id method params name arguments filePath newContent suppressNotification protocolVersion",
  "capabilities clientInfo experimental ideCompanion agent title _meta progressToken cursor uri line",
  "__proto__ constructor prototype toString hasOwnProperty then toJSON",
);
const methods = wordOf(
  "initialize notifications/initialized ping tools/list tools/call resources/list resources/read prompts/list",
  "notifications/cancelled subscriptions/listen server/discover completion/complete logging/setLevel __proto__",
);
const tools = wordOf("openDiff closeDiff acceptDiff rejectDiff openFile getDiagnostics __proto__ toString");

/** Messages that are nearly right, single or in batches, and now and then not even JSON. */
export function messages({ sandbox }: Subject): fc.Arbitrary<string> {
  const paths = fc.oneof(
    fc.constantFrom(
      join(sandbox.workspace, "src", "a.ts"),
      sandbox.workspace,
      "/",
      "",
      "a.ts",
      "/\0",
      "\ud83d",
    ),
    fc.constantFrom(...outside(sandbox)),
    fc.string({ unit: "grapheme", maxLength: 30 }).map((name) => join(sandbox.workspace, name)),
  );
  const leaf = fc.oneof(
    paths,
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.jsonValue({ maxDepth: 1 }),
    methods,
    tools,
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthIdentifier: "tree" },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      dictionary(tie("tree")),
    ),
  }));
  const call = fc.record(
    { name: fc.oneof(tools, leaf), arguments: fc.oneof(diff(paths), tree) },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: tree }),
      id: fc.oneof(fc.nat(), fc.string(), tree),
      method: fc.oneof(
        { weight: 5, arbitrary: methods },
        { weight: 5, arbitrary: fc.constant("tools/call") },
        { weight: 1, arbitrary: tree },
      ),
      params: fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: tree }),
    },
    { requiredKeys: ["jsonrpc"] },
  );
  const text = fc.oneof(message, tree, fc.array(message, { maxLength: 5 })).map(write);
  const deep = fc
    .tuple(fc.constantFrom("[", '{"a":', '{"params":'), fc.nat(5000))
    .map(([open, depth]) => open.repeat(depth));
  return fc.oneof(
    { weight: 20, arbitrary: text },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Files that no tool may write, some of which must not even be read. */
const outside = ({ folder, workspace }: Sandbox): readonly string[] => [
  join(folder, "secret.txt"),
  join(folder, "new.txt"),
  join(workspace, "link.txt"),
  join(workspace, "link", "new.txt"),
  "/dev/zero",
  "/proc/self/environ",
  "\\\\evil.example\\share\\a.ts",
  "C:\\CON",
];

const diff = (paths: fc.Arbitrary<string>) =>
  fc.record(
    { filePath: paths, newContent: fc.string({ unit: anyCharacter }), suppressNotification: fc.boolean() },
    { requiredKeys: [] },
  );

const dictionary = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(keys, value), { maxLength: 5 }).map((entries) => new Pairs(entries));

/** An object as it is written, which may hold a name twice, and `__proto__`. */
class Pairs {
  readonly entries: readonly (readonly [string, unknown])[];

  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }
}

function write(value: unknown): string {
  if (value instanceof Pairs) return writeEntries(value.entries);
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value === "object" && value !== null) return writeEntries(Object.entries(value));
  return JSON.stringify(value) ?? "null";
}

const writeEntries = (entries: readonly (readonly [string, unknown])[]) =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(",")}}`;
