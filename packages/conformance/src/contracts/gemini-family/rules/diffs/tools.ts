import { isJson, type Json } from "../../../../wire/json-rpc.ts";
import { demand, demandNone, quote } from "../../../check.ts";
import { withSchema } from "../../../fault.ts";
import type { RpcAnswer } from "../../../http-cli.ts";
import { problemsOfTools } from "../../../plain.ts";
import { observed, specification } from "../../../requirement.ts";
import { unrefused } from "../../faults.ts";
import { closeDiff } from "../../wire.ts";
import type { FamilyGroup } from "../means.ts";

/** Whether a call was refused as the specifications require. */
export function isRefused({ result, error }: RpcAnswer): boolean {
  if (error) return true;
  const content: unknown[] = Array.isArray(result?.content) ? result.content : [];
  const [first] = content;
  return (
    result?.isError === true &&
    isJson(first) &&
    first.type === "text" &&
    typeof first.text === "string" &&
    first.text !== ""
  );
}

export const toolsRules: FamilyGroup = {
  P1: {
    MUST: "The tool `openDiff` is listed, with the strings `filePath` and `newContent`.",
    sources: specification("III", "The companion MUST register an `openDiff` tool."),
    check: "open-diff-tool",
    async run({ greet }) {
      const listed = await (await greet()).list();
      demandNone(problemsOfTools(listed, { openDiff: ["filePath", "newContent"] }));
    },
    fault: {
      down: withSchema("openDiff", { type: "object", properties: {} }),
      says: /openDiff does not list the text newContent/,
    },
  },
  P2: {
    MUST: "The tool `closeDiff` is listed, with the string `filePath`; it takes `suppressNotification` too.",
    sources: [
      specification("III", "The companion MUST register a `closeDiff` tool."),
      observed("Both CLIs send `suppressNotification`, which the specifications do not mention."),
    ],
    check: "close-diff-tool",
    async run({ greet }) {
      const listed = await (await greet()).list();
      demandNone(problemsOfTools(listed, { closeDiff: ["filePath"] }));
      const { inputSchema: schema } = listed.find(({ name }) => name === "closeDiff") ?? {};
      const known = isJson(schema) && isJson(schema.properties) ? schema.properties : {};
      const isClosed = isJson(schema) && schema.additionalProperties === false;
      const isForbidden = isClosed && !("suppressNotification" in known);
      demand(!isForbidden, "it allows no suppressNotification, which both CLIs send");
    },
    fault: {
      down: withSchema("closeDiff", {
        type: "object",
        properties: { filePath: { type: "string" } },
        required: ["filePath"],
        additionalProperties: false,
      }),
      says: /it allows no suppressNotification/,
    },
  },
  P4: {
    MUST: "A call that cannot be carried out is answered with `isError: true` and one text, or with a JSON-RPC error.",
    sources: specification(
      "III",
      "The answer MUST have `isError: true` and a text that describes the error.",
    ),
    check: "impossible-call",
    async run({ greet, path: pathOf }) {
      const session = await greet();
      const calls: readonly (readonly [string, Json])[] = [
        ["openDiff", {}],
        ["openDiff", { filePath: pathOf("a.txt") }],
        ["openDiff", { filePath: 7, newContent: "x" }],
        ["closeDiff", {}],
        ["noSuchTool", {}],
      ];
      const problems: string[] = [];
      for (const [name, input] of calls) {
        const answer = await session.call(name, input);
        if (!isRefused(answer))
          problems.push(`${name} with ${quote(input)} was answered ${quote(answer.message)}`);
      }
      demandNone(problems);
    },
    fault: { down: unrefused(() => true), says: /openDiff with \{\} was answered/ },
  },
  P7: {
    MUST: "`closeDiff` for a file that has no open diff is answered with `isError: true` and a text.",
    sources: specification("III", "If the view could not be closed, the answer MUST have `isError: true`."),
    check: "close-unknown",
    async run({ greet, path: pathOf }) {
      const answer = await closeDiff(await greet(), pathOf("never-opened.txt"));
      demand(isRefused(answer), `isError and a text were expected, got ${quote(answer.message)}`);
    },
    fault: { down: unrefused(() => true), says: /isError and a text were expected/ },
  },
};
