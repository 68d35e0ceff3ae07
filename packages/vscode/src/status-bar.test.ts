import { expect, test, vi } from "vitest";
import { type Status, type StatusWords, toStatusText } from "./status-bar.ts";

vi.mock("vscode", () => ({}));

const words: StatusWords = {
  none: "No agent",
  failed: "Companion",
  paused: "Paused",
  waiting: (count) => `${count} to review`,
};
const quiet: Status = { isPaused: false, agents: [], waiting: 0 };

test.each<[string, Partial<Status>]>([
  ["$(plug) No agent", {}],
  ["$(plug) Agent One, Agent Two", { agents: ["Agent One", "Agent Two"] }],
  ["$(plug) Agent \\$(trash)", { agents: ["Agent $(trash)"] }],
  ["$(eye-closed) Paused", { agents: ["Agent One"], isPaused: true }],
  ["$(diff) 2 to review", { agents: ["Agent One"], waiting: 2 }],
  ["$(diff) 2 to review $(eye-closed) Paused", { agents: ["Agent One"], isPaused: true, waiting: 2 }],
  ["$(error) Companion", { failure: "no port", waiting: 2 }],
])("the status bar shows %s", (text, status) => {
  expect(toStatusText({ ...quiet, ...status }, words)).toBe(text);
});
