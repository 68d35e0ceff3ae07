import type { Page } from "playwright-core";
import type { AgentChoice } from "../../companion/src/frontends/review/protocol.ts";
import { takesNoEdits } from "../../companion/src/core/review.ts";
import { files, proposals, settled } from "../pictures-sample.mjs";
import { editorOf, type Fixture, type FixtureOptions, typeInFirstLine } from "./page-harness.ts";

/** What a user can have before their eyes. */
export interface PageState {
  readonly name: string;
  readonly options?: Omit<FixtureOptions, "files">;
  readonly arrange: (fixture: Fixture) => Promise<unknown>;
}

const agents: readonly AgentChoice[] = [
  { displayName: "Gemini CLI", command: "gemini", connectCommand: "/ide enable" },
  { displayName: "Qwen Code", command: "qwen", connectCommand: "/ide enable" },
  { displayName: "Claude Code", command: "claude", connectCommand: "/ide" },
];

const cart = proposals[0]?.[2] ?? "";
const cartTest = proposals[1]?.[2] ?? "";
const item = settled[2] ?? "";
const svg = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><circle cx="80" cy="60" r="50" fill="${colour}"/></svg>\n`;
const large = Array.from({ length: 60_000 }, (_, line) => `row ${line} ${"of the table ".repeat(4)}\n`);

/** Whose state each file is in. */
export const stateFiles = {
  ...files,
  "logo.svg": svg("teal"),
  "table.csv": large.join(""),
  "data.bin": Buffer.from([0, 1, 2, 3, 0xff]),
};

const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

/** Without what was announced while it was arranged. */
export async function dismissNotices(page: Page): Promise<void> {
  const dismiss = page.getByRole("region", { name: "Notices" }).getByRole("button", { name: "Dismiss" });
  while ((await dismiss.count()) > 0) await dismiss.first().click();
}

function connect({ frontend, session }: Fixture): void {
  frontend.onEvent({ kind: "session-opened", session });
  frontend.onEvent({ kind: "stream-opened", session });
}

async function review(fixture: Fixture): Promise<void> {
  connect(fixture);
  await fixture.propose("src/cart.ts", cart);
  await editorOf(fixture.page, "cart.ts").waitFor();
  await fixture.page.getByText("3 changes").waitFor();
}

async function reviewMany(fixture: Fixture): Promise<void> {
  await review(fixture);
  await fixture.propose("src/item.ts", item);
  await fixture.propose("test/cart.test.ts", cartTest, "Gemini CLI");
  for (const name of ["one", "two", "three", "four"]) await fixture.propose(`src/${name}.ts`, "new();\n");
  await typeInFirstLine(fixture.page, "cart.ts", " // mine");
  await fixture.page.keyboard.press("Escape");
  await fixture.page.getByRole("textbox", { name: "Filter the waiting changes" }).waitFor();
  await dismissNotices(fixture.page);
}

async function comment({ page }: Fixture, words: string): Promise<void> {
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: /^Comment on line/ }).fill(words);
}

const openFile = async (page: Page, name: string) => {
  await page.getByRole("combobox", { name: "Find a file" }).fill(name);
  await page.getByRole("option", { name }).first().click();
};

const accepted = {
  at: Date.UTC(2026, 10, 20),
  agent: "Gemini CLI",
  filePath: "src/item.ts",
  outcome: "accepted",
  text: "accepted",
  fileResult: "written",
  texts: { before: item, proposed: files["src/item.ts"] },
} as const;
const rejected = {
  ...accepted,
  at: accepted.at - 60_000,
  filePath: "src/rates.ts",
  outcome: "rejected",
  text: "rejected",
  fileResult: undefined,
  texts: { before: files["src/rates.ts"], proposed: "", edited: `${files["src/rates.ts"]}// mine\n` },
} as const;
const { fileResult: _, ...withoutFile } = rejected;
const past = [accepted, withoutFile];

async function openHistory({ page }: Fixture, name: RegExp): Promise<void> {
  await page.getByRole("region", { name: "History" }).getByRole("button", { name }).first().click();
  await page.locator(".diff .cm-scroller").first().waitFor();
}

const reading: readonly PageState[] = [
  { name: "empty", options: { agents }, arrange: ({ page }) => page.getByText("Waiting for an agent").waitFor() },
  {
    name: "connected",
    arrange: async (fixture) => {
      connect(fixture);
      await fixture.page.getByText("Ready to review").waitFor();
    },
  },
  {
    name: "file",
    arrange: async (fixture) => {
      connect(fixture);
      await openFile(fixture.page, "cart.ts");
      await fixture.page.getByRole("textbox", { name: "cart.ts, read only" }).waitFor();
    },
  },
  {
    name: "file not shown",
    arrange: async ({ page }) => {
      await openFile(page, "data.bin");
      await page.getByText("This is a binary file").waitFor();
    },
  },
  {
    name: "finder",
    arrange: async ({ page }) => {
      await page.keyboard.press("/");
      await page.keyboard.type("cart");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "find",
    arrange: async (fixture) => {
      await review(fixture);
      await fixture.page.keyboard.press("Control+f");
      await fixture.page.keyboard.type("total");
      await fixture.page.getByText(/\d+ of \d+/).first().waitFor();
    },
  },
  {
    name: "keyboard shortcuts",
    arrange: async ({ page }) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
];

const reviewing: readonly PageState[] = [
  { name: "side by side", arrange: review },
  {
    name: "unified",
    arrange: async (fixture) => {
      await review(fixture);
      await fixture.page.keyboard.press("u");
      await fixture.page.locator(".diff-unified .cm-deletedLine").first().waitFor();
    },
  },
  {
    name: "edited and viewed",
    arrange: async (fixture) => {
      await review(fixture);
      await fixture.page.getByRole("button", { name: "Mark change 1 as viewed" }).click();
      await typeInFirstLine(fixture.page, "cart.ts", " // mine");
      await fixture.write("src/cart.ts", `${files["src/cart.ts"]}// newer\n`);
      await fixture.page.getByText("The file on disk has changed").waitFor();
    },
  },
  {
    name: "read-only",
    arrange: async ({ page, propose }) => {
      await propose("src/cart.ts", cart, "Copilot CLI", takesNoEdits("Copilot CLI"));
      await page.getByText("Copilot CLI takes no edits").first().waitFor();
    },
  },
  {
    name: "new file",
    arrange: async ({ page, propose }) => {
      await propose("src/discount.ts", "export const discount = 0.1;\n".repeat(12));
      await page.getByText("new file", { exact: true }).waitFor();
    },
  },
  {
    name: "image",
    arrange: async ({ page, propose }) => {
      await propose("logo.svg", svg("orange"));
      await page.getByRole("img", { name: "Proposed" }).waitFor();
    },
  },
  {
    name: "large",
    arrange: async ({ page, propose }) => {
      await propose("table.csv", large.map((line, index) => (index % 9000 === 7 ? "other\n" : line)).join(""));
      await page.getByText("7 changes").waitFor();
    },
  },
  {
    name: "comments",
    arrange: async (fixture) => {
      await review(fixture);
      await comment(fixture, "Put the currency first, as the rest of the shop does.");
      await fixture.page.keyboard.press("Escape");
      await comment(fixture, "Why three equals signs?");
      await fixture.page.getByText("2 comments", { exact: true }).waitFor();
    },
  },
  {
    name: "comments that wait",
    arrange: async (fixture) => {
      const { page, propose, recoverComments } = fixture;
      const proposal = await propose("src/cart.ts", cart);
      await editorOf(page, "cart.ts").waitFor();
      await comment(fixture, "Why?");
      await button(page, "Reject and say why").click();
      await page.getByText("Decisions will be listed here.").waitFor({ state: "detached" });
      recoverComments(proposal, "The prompt of Qwen Code could not be reached.");
      await page.getByRole("region", { name: "Notices" }).waitFor();
    },
  },
];

const deciding: readonly PageState[] = [
  { name: "many", arrange: reviewMany },
  {
    name: "accept all",
    arrange: async (fixture) => {
      await reviewMany(fixture);
      await fixture.page.keyboard.press("A");
      await dialog(fixture.page).getByText("With your edits, as you see them").waitFor();
    },
  },
  {
    name: "reject all",
    arrange: async (fixture) => {
      await reviewMany(fixture);
      await fixture.page.keyboard.press("R");
      await dialog(fixture.page).getByText("Your edits are rejected as well").waitFor();
    },
  },
  {
    name: "accept the rest",
    arrange: async (fixture) => {
      await reviewMany(fixture);
      await fixture.page.getByTitle("Accept the rest of what Qwen Code proposes").click();
      await dialog(fixture.page).getByRole("checkbox").check();
      await dialog(fixture.page).getByRole("textbox").fill("*.sql, migrations/");
    },
  },
  {
    name: "accepting ahead",
    arrange: async (fixture) => {
      await reviewMany(fixture);
      await fixture.page.getByTitle("Accept the rest of what Qwen Code proposes").click();
      await dialog(fixture.page).getByRole("checkbox").check();
      await dialog(fixture.page).getByRole("textbox").fill("*.sql, migrations/");
      await fixture.page.getByRole("button", { name: "Accept 6 changes" }).click();
      await fixture.propose("src/five.ts", "new();\n");
      await fixture.page.getByText("1 accepted so far.").waitFor();
    },
  },
  {
    name: "closing an edited change",
    arrange: async (fixture) => {
      await review(fixture);
      await typeInFirstLine(fixture.page, "cart.ts", " // mine");
      await fixture.page.keyboard.press("Escape");
      await fixture.page.keyboard.press("x");
      await fixture.page.getByText("rejects it, with your edits").first().waitFor();
    },
  },
];

const afterwards: readonly PageState[] = [
  {
    name: "history",
    options: { past },
    arrange: (fixture) => openHistory(fixture, /item\.ts/),
  },
  {
    name: "undo",
    options: { past },
    arrange: async (fixture) => {
      await openHistory(fixture, /item\.ts/);
      await fixture.page.getByRole("button", { name: "Undone", exact: true }).click();
      await fixture.page.getByRole("button", { name: "Undo this change" }).waitFor();
    },
  },
  {
    name: "my version again",
    options: { past },
    arrange: async (fixture) => {
      await openHistory(fixture, /rates\.ts/);
      await button(fixture.page, "Propose my version again").click();
      await fixture.page.getByRole("button", { name: "Accept my version" }).waitFor();
    },
  },
  {
    name: "recovered edits",
    arrange: async (fixture) => {
      const { page, propose, closeFromTerminal } = fixture;
      const proposal = await propose("src/cart.ts", cart);
      await typeInFirstLine(page, "cart.ts", " // mine");
      await page.getByText("edited by you").waitFor();
      await closeFromTerminal(proposal);
      await page.getByText("is saved").first().waitFor();
    },
  },
  {
    name: "recovered edits compared",
    arrange: async (fixture) => {
      await afterwards.find(({ name }) => name === "recovered edits")?.arrange(fixture);
      await button(fixture.page, "Compare").click();
      await fixture.page.locator(".badge").getByText("recovered", { exact: true }).waitFor();
      await fixture.page.locator(".diff .cm-scroller").first().waitFor();
    },
  },
];

const connection: readonly PageState[] = [
  {
    name: "disconnected",
    arrange: async (fixture) => {
      await review(fixture);
      await fixture.stopFrontend();
      await fixture.page.getByText("Disconnected.").waitFor();
    },
  },
  {
    name: "hanging",
    arrange: async (fixture) => {
      const { page } = fixture;
      await page.routeWebSocket(/\/socket/, (link) => {
        const server = link.connectToServer();
        // Answers go through until it hangs.
        server.onMessage((message) => {
          if (!isHanging) link.send(message);
        });
      });
      let isHanging = false;
      await page.reload();
      await review(fixture);
      isHanging = true;
      await page.getByText("The companion does not answer.").waitFor();
    },
  },
  {
    name: "without access",
    arrange: async ({ page, stopFrontend, startFrontend }) => {
      await page.context().clearCookies();
      await stopFrontend();
      await startFrontend();
      await page.getByRole("heading", { name: "This page needs a new link" }).waitFor();
    },
  },
];

export const pageStates: readonly PageState[] = [
  ...reading,
  ...reviewing,
  ...deciding,
  ...afterwards,
  ...connection,
];
