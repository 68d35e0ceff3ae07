import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { WireClient } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { createSharing } from "../../core/sharing/sharing.ts";
import { type Core, privateHost, startCore } from "../../testing/core.ts";
import { type Diagnostic, Diagnostics } from "./contract/tools.ts";

const ToolList = z.object({ tools: z.array(z.object({ name: z.string() })) });
const Answer = z.object({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  structuredContent: z.unknown(),
});

const initialize = async (client: WireClient, ideCompanion?: object): Promise<WireClient> => {
  const clientInfo = { name: "other-agent", title: "Other Agent", version: "1.0.0" };
  const capabilities = ideCompanion ? { experimental: { ideCompanion } } : {};
  await client.request("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo });
  return client;
};

/** A client that has announced itself. */
const announced = ({ client }: Core) => initialize(client(), { version: 1 });

const toolsOf = async (client: WireClient) => {
  const { message } = await client.request("tools/list", {});
  return ToolList.parse(message.result).tools.map(({ name }) => name);
};

const contractTools = ["openDiff", "closeDiff", "acceptDiff", "rejectDiff"];

describe("what only some editors can do", () => {
  test("is listed to clients that announce themselves, and to no CLI", async () => {
    const core = await startCore();
    expect(await toolsOf(await announced(core))).toEqual([...contractTools, "openFile", "getDiagnostics"]);
    expect(await toolsOf(await initialize(core.client("gemini")))).toEqual(contractTools);
  });

  test("is neither listed nor called where the editor cannot", async () => {
    const core = await startCore();
    Object.assign(core.editor, { openFile: undefined, getDiagnostics: undefined });
    const client = await announced(core);
    expect(await toolsOf(client)).toEqual(contractTools);
    const { error } = await client.call("openFile", { filePath: core.root });
    expect(error?.message).toBe(
      'unknown tool "openFile": there are openDiff, closeDiff, acceptDiff, rejectDiff',
    );
  });

  test("shows a file, at a place", async () => {
    const core = await startCore();
    const client = await announced(core);
    const filePath = join(core.root, "a.ts");
    writeFileSync(filePath, "x");
    expect(await client.call("openFile", { filePath, line: 3, character: 7 })).toEqual({
      result: { content: [{ type: "text", text: `${filePath} is shown.` }] },
    });
    await client.call("openFile", { filePath });
    expect(core.editor.opened).toEqual([{ path: filePath, line: 3, character: 7 }, { path: filePath }]);
  });

  test("says why a file is not shown", async () => {
    const core = await startCore();
    const client = await announced(core);
    const refusal = async (input: object) => {
      const { result } = await client.call("openFile", input);
      expect(result).toMatchObject({ isError: true });
      return JSON.stringify(result?.content);
    };
    expect(await refusal({ filePath: "a.ts" })).toContain("filePath must be absolute");
    expect(await refusal({ filePath: "/dev/zero" })).toContain("must name a file, not a part of the system");
    expect(await refusal({ filePath: join(core.root, "none") })).toContain("there is no file");
    expect(await refusal({ filePath: core.root })).toContain("there is no file");
    const filePath = join(core.root, "a.ts");
    writeFileSync(filePath, "x");
    expect(await refusal({ filePath: join(filePath, "below") })).toContain("there is no file");
    expect(await refusal({ filePath, character: 7 })).toContain("character needs a line");
    core.editor.failure = new Error("no window is open");
    expect(await refusal({ filePath })).toContain(`${filePath} could not be shown: no window is open`);
    const { error } = await client.call("openFile", { filePath, line: 0 });
    expect(error?.message).toContain("wrong arguments: line:");
  });

  test("tells diagnostics, errors first, of one file or of all, and not without bounds", async () => {
    const core = await startCore();
    const client = await announced(core);
    const [one, two] = [join(core.root, "one.ts"), join(core.root, "two.ts")];
    const found = (filePath: string, severity: Diagnostic["severity"], line: number, message = "wrong") => {
      return { filePath, severity, line, character: 1, message };
    };
    const many = Array.from({ length: 499 }, (_, index) => found(two, "hint", index + 1));
    const diagnostics = [
      ...many,
      found(one, "warning", 2),
      found(two, "error", 9),
      found(one, "error", 4, "x".repeat(3000)),
    ];
    core.editor.diagnostics = diagnostics;
    const read = async (input: object) => {
      const { result } = await client.call("getDiagnostics", input);
      const { content, structuredContent } = Answer.parse(result);
      expect(content[0].text === JSON.stringify(structuredContent)).toBe(true);
      return Diagnostics.parse(structuredContent);
    };
    const all = await read({});
    expect(all.omitted).toBe(2);
    expect(all.diagnostics).toHaveLength(500);
    expect(all.diagnostics.slice(0, 4)).toMatchObject([
      { filePath: one, severity: "error", line: 4, message: "x".repeat(2000) },
      { filePath: two, severity: "error", line: 9 },
      { filePath: one, severity: "warning", line: 2 },
      { filePath: two, severity: "hint", line: 1 },
    ]);
    expect(await read({ filePath: one })).toMatchObject({
      omitted: 0,
      diagnostics: [{ line: 4 }, { line: 2 }],
    });
  });

  test("tells no diagnostics of files that the user keeps from agents, and none while sharing is paused", async () => {
    const host = privateHost();
    const sharing = createSharing({ host, roots: () => [] });
    onTestFinished(sharing.close);
    const core = await startCore({ host, sharing });
    const client = await announced(core);
    const found = (name: string) => {
      const filePath = join(core.root, name);
      return { filePath, severity: "error", line: 1, character: 1, message: "wrong" } as const;
    };
    core.editor.diagnostics = [found(".env"), found("a.ts")];
    const read = async (input: object = {}) => (await client.call("getDiagnostics", input)).result;
    expect(Answer.parse(await read()).structuredContent).toEqual({
      diagnostics: [found("a.ts")],
      omitted: 0,
    });
    expect(Answer.parse(await read({ filePath: join(core.root, ".env") })).structuredContent).toEqual({
      diagnostics: [],
      omitted: 0,
    });
    sharing.pause(true);
    expect(await read()).toMatchObject({ isError: true, content: [{ text: "the user has paused sharing" }] });
  });
});
