import { join } from "node:path";
import { ClaudeClient, claudeLock } from "../../packages/testkit/src/fake-cli/claude-code.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionIn } from "./discovery-files.ts";

/** Finds a companion by its lock file, as Claude Code does, and connects. */
export async function connectFakeClaude(sandbox: Sandbox): Promise<ClaudeClient> {
  const file = await companionIn(join(sandbox.home, ".claude", "ide"));
  const end = (cleanup: () => void) => void sandbox.own({ close: async () => cleanup() });
  return ClaudeClient.connect(claudeLock({ discoveryFiles: [file] }), 4711, end);
}
