import { delimiter } from "node:path";
import { ReviewSwitch } from "ide-companion/editor-kit";
import { expect, test, vi } from "vitest";
import { privateFolder } from "../../testkit/src/private-folder.ts";
import { chooseReviewMode, type Status, toStatusText } from "./status-bar.ts";

interface Pick {
  readonly label: string;
  readonly description: string;
}
const fake = vi.hoisted(() => ({ picks: [] as Pick[], choice: 0 }));

vi.mock("vscode", () => ({
  l10n: { t: (text: string, value: number) => text.replace("{0}", String(value)) },
  window: {
    showQuickPick: async (items: Pick[]) => {
      fake.picks = items;
      return items[fake.choice];
    },
  },
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

test("when agents are reviewed is chosen among three modes, of which the one that counts is marked", async () => {
  const home = privateFolder();
  let roots = [privateFolder()];
  const reviewSwitch = new ReviewSwitch({ tmp: home, home, env: {}, delimiter }, () => roots);
  await chooseReviewMode(reviewSwitch);
  expect(fake.picks.map(({ label, description }) => `${label}: ${description}`)).toEqual([
    "$(blank) Before: Each agent asks you in your editor before it writes.",
    "$(check) After: Each agent writes, and you look at that afterwards.",
    "$(blank) Off: Each agent writes, and nothing is recorded.",
  ]);
  fake.choice = 2;
  await chooseReviewMode(reviewSwitch);
  expect(fake.picks[0]?.label).toBe("$(check) Before");
  expect(reviewSwitch.counting).toMatchObject([{ mode: "off" }]);
  fake.choice = -1; // Escape
  roots = [...roots, privateFolder()];
  await chooseReviewMode(reviewSwitch);
  expect(fake.picks).toMatchObject([
    { label: "$(blank) Before" },
    { label: "$(check) After", detail: expect.stringContaining("Gemini CLI, ") },
    { label: "$(check) Off", detail: expect.stringContaining("Gemini CLI, ") },
  ]);
  fake.choice = 0;
  roots = [];
  await expect(chooseReviewMode(reviewSwitch)).rejects.toThrow("No folder is open.");
});
