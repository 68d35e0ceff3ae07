import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentKind } from "./agent-cli.ts";
import { geminiScript, newerNode } from "./installed.ts";

/**
 * Gemini CLI, unmodified, on the newer Node, where it uses less of the processor.
 * @see docs/reference/contract.md
 */
export const gemini: AgentKind = {
  name: "gemini",
  displayName: "Gemini CLI",
  command: [join(newerNode, "node"), geminiScript],
  folder: ".gemini",
  settings: {
    ide: { enabled: true, hasSeenNudge: true },
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      checkpointing: { enabled: false },
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ui: { hideTips: true, hideBanner: true, theme: "Default" },
    model: { name: "gemini-2.5-flash" },
    tools: { sandbox: false },
  },
  env: (model) => ({ GEMINI_API_KEY: "fake", GOOGLE_GEMINI_BASE_URL: model.url, ...container() }),
  replaceCall: (file_path, old_string, new_string) => ({
    call: "replace",
    args: { file_path, instruction: "Change it.", old_string, new_string },
  }),
  rejected: /Rejected|Request cancelled/,
};

/** In a container the CLI looks for its IDE on the host, unless it seems to be remote itself. */
function container(): Record<string, string> {
  return existsSync("/.dockerenv") ? { SSH_CONNECTION: "x" } : {};
}
