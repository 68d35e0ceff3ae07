import { rmSync } from "node:fs";
import { agentNames } from "../../../agents.ts";
import { type Example, ExampleEditor, textOf } from "../../../example/editor.ts";
import { readSystemFolders, type SystemFolders } from "../../../target/folders.ts";
import { createFeed } from "./context.ts";
import { type Announcement, announce } from "./discovery.ts";
import type { Tokens } from "./guard.ts";
import { goodRules, type Rules } from "./rules.ts";
import { ExampleServer } from "./server.ts";

export interface ExampleOptions {
  readonly systemFolders: SystemFolders;
  readonly folders: readonly string[];
  /** How it differs from a good one. */
  readonly rules?: Partial<Rules>;
}

interface FamilyExample extends Example {
  readonly port: number;
}

/**
 * A complete companion for a simulated editor: small enough to read, and good enough to pass every check. A changed
 * rule makes it a broken one.
 */
export async function startExample(options: ExampleOptions): Promise<FamilyExample> {
  const rules = { ...goodRules, ...options.rules };
  const editor = new ExampleEditor(options.folders, textOf);
  const tokens: Tokens = new Map(agentNames.map((agent) => [agent, rules.newToken()]));
  const feed = createFeed(editor, rules, (context) => server.sendContext(context));
  const server = new ExampleServer({ rules, editor, tokens, context: feed.current });
  let files: string[] = [];
  const publish = (port: number) => {
    const announcement: Announcement = { port, pid: process.pid, tokens, folders: editor.folders };
    editor.environment = rules.environment(announcement);
    files = announce(options.systemFolders, announcement, rules);
  };
  rules.sweep(options.systemFolders);
  if (rules.filesFirst) publish(rules.port);
  await server.listen();
  publish(server.port);
  editor.on("folders", () => rules.rewrites && publish(server.port));
  return {
    port: server.port,
    editor,
    endsBy: rules.endsBy,
    close() {
      if (!rules.ends) return;
      // First, so that no more CLIs connect.
      if (rules.removes) for (const file of files) rmSync(file, { force: true });
      feed.close();
      server.close();
    },
  };
}

/** One for the current folder, found where this user's CLIs look. */
export function startExampleHere(rules: Partial<Rules> = {}): Promise<FamilyExample> {
  return startExample({ systemFolders: readSystemFolders(process.env), folders: [process.cwd()], rules });
}
