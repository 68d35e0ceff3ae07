import { expect, test, vi } from "vitest";
import { type Status, toStatusText } from "./status-bar.ts";

vi.mock("vscode", () => ({
  l10n: { t: (text: string, value: number) => text.replace("{0}", String(value)) },
}));

const quiet: Status = { isPaused: false, agents: [], waiting: 0 };

test.each<[string, Partial<Status>]>([
  ["$(plug) No agent", {}],
  ["$(plug) Agent One, Agent Two", { agents: ["Agent One", "Agent Two"] }],
  ["$(plug) Agent \\$(trash)", { agents: ["Agent $(trash)"] }],
  ["$(eye-closed) Sharing paused", { agents: ["Agent One"], isPaused: true }],
  ["$(diff) 2 changes to review", { agents: ["Agent One"], waiting: 2 }],
  [
    "$(diff) 2 changes to review $(eye-closed) Sharing paused",
    { agents: ["Agent One"], isPaused: true, waiting: 2 },
  ],
  ["$(error) No companion", { failure: "no port", waiting: 2 }],
])("the status bar shows %s", (text, status) => {
  expect(toStatusText({ ...quiet, ...status })).toBe(text);
});
