import { join } from "node:path";
import type { AgentKind } from "./agent-cli.ts";
import { newerNode, qwenScript } from "./installed.ts";

/**
 * Qwen Code, unmodified, on the newer Node that it needs.
 * @see docs/reference/contract.md
 */
export const qwen: AgentKind = {
  name: "qwen",
  displayName: "Qwen Code",
  command: [join(newerNode, "node"), qwenScript],
  folder: ".qwen",
  settings: {
    ide: { enabled: true, hasSeenNudge: true },
    security: { auth: { selectedType: "openai" }, folderTrust: { enabled: true } },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ui: { hideTips: true, hideBanner: true },
    model: { name: "x" },
    // Its own default writes without asking, and no diff ever comes.
    tools: { approvalMode: "default" },
    // After a turn it would ask the model what to remember, and be given the next turn's answer.
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  },
  env: (model) => ({
    OPENAI_API_KEY: "fake",
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_MODEL: "x",
    PATH: `${newerNode}:${process.env.PATH ?? ""}`,
  }),
  replaceCall: (file_path, old_string, new_string) => ({
    call: "edit",
    args: { file_path, old_string, new_string },
  }),
  rejected: /^ {2}- /m,
};
