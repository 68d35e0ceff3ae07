import type { Page } from "playwright-core";
import { expect } from "vitest";
import { files, proposals, settled } from "../../../scripts/pictures/sample.mjs";
import type { Proposal } from "../../companion/src/core/editor.ts";
import { readFileNow } from "../../companion/src/files/file-text.ts";
import type { AgentChoice } from "../../companion/src/frontends/review/protocol.ts";
import { rebaseTestChange } from "../../companion/src/testing/test-change.ts";
import { decidable, editorOf, type Fixture, reject, typeInFirstLine } from "./page-harness.ts";

export const agents: readonly AgentChoice[] = [
  { displayName: "Gemini CLI", command: "gemini", connectCommand: "/ide enable" },
  { displayName: "Qwen Code", command: "qwen", connectCommand: "/ide enable" },
  { displayName: "Claude Code", command: "claude", connectCommand: "/ide" },
];

export const cartOnDisk = files["src/cart.ts"] ?? "";
export const cart = proposals[0]?.[2] ?? "";
const cartTest = proposals[1]?.[2] ?? "";
const [, , item] = settled;
const itemNow = files["src/item.ts"] ?? "";
export const rates = files["src/rates.ts"] ?? "";
export const svg = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><circle cx="80" cy="60" r="50" fill="${colour}"/></svg>\n`;
const readme = `# Shop

A cart, its items, and what they cost, of a shop with [rates](https://example.org/rates "of the day") in \`src/rates.ts\`.

## Prices

1. An item has a *price* and a **currency**, ~~in cents~~.
2. Of several:
   - [x] the sum
   - [ ] the discount

> The rates are of the day. ![A chart of them](chart.png)

| Currency | Rate | Since a day that is named in full |
|---|---|---|
| EUR | 1 | |
| USD | 1.1 | yesterday |

\`\`\`ts
const total = new Cart(items).total({ base: "EUR", rates: currentRates("EUR"), discount: 0.1 });
\`\`\`

<details>raw</details>
`;
export const large = Array.from(
  { length: 60_000 },
  (_, line) => `row ${line} ${"of the table ".repeat(4)}\n`,
);

/** They scroll both ways, and have few words to colour: each is one more element to look at. */
const long = Array.from(
  { length: 400 },
  (_, index) => `const line${index} = 1 + "${"wide ".repeat(48)}";\n`,
).join("");

/** Whose state each file is in. */
export const stateFiles = {
  ...files,
  "logo.svg": svg("teal"),
  "table.csv": large.join(""),
  "long.ts": long,
  "odd.txt": "\ufeffa\0b\n",
  "data.bin": Buffer.from([0, 1, 2, 3, 0xff]),
};

export const dialog = (page: Page) => page.getByRole("dialog");
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

/** Without what was announced while it was arranged. */
export async function dismissNotices(page: Page): Promise<void> {
  const dismiss = page.getByRole("region", { name: "Notices" }).getByRole("button", { name: "Dismiss" });
  while ((await dismiss.count()) > 0) await dismiss.first().click();
}

export function connect({ frontend, session }: Fixture): void {
  frontend.onEvent({ kind: "session-opened", session });
  frontend.onEvent({ kind: "stream-opened", session });
}

export async function review(fixture: Fixture): Promise<Proposal> {
  connect(fixture);
  const proposal = await fixture.propose("src/cart.ts", cart);
  await editorOf(fixture.page, "cart.ts").waitFor();
  await fixture.page.getByText("3 changes").waitFor();
  return proposal;
}

/** Somebody else adds a line to the file of `review`, and the companion merges it into what the user has typed. */
export async function mergeOneMoreLine(
  { write, drafts, frontend, changeOf }: Fixture,
  proposal: Proposal,
): Promise<void> {
  await expect.poll(() => drafts.at(-1)).toContain("mine");
  const seen = drafts.at(-1) ?? "";
  const { file: base } = readFileNow(await write("src/cart.ts", `${cartOnDisk}// newer\n`));
  const changed = { ...proposal, base, newContent: `${cart}// newer\n` };
  const update = { proposal: changed, seen, text: `${seen}// newer\n`, state: "merged" } as const;
  await rebaseTestChange(frontend.editor, changeOf(proposal), update);
}

export async function renderReadme({ page, propose }: Fixture): Promise<void> {
  await propose("README.md", readme);
  await page.keyboard.press("r");
  await page.getByRole("region", { name: "README.md rendered" }).getByText("Prices").waitFor();
}

export async function reviewMany(fixture: Fixture): Promise<void> {
  await review(fixture);
  await fixture.propose("src/item.ts", item);
  await fixture.propose("test/cart.test.ts", cartTest, "Gemini CLI");
  for (const name of ["one", "two", "three", "four"]) await fixture.propose(`src/${name}.ts`, "new();\n");
  await typeInFirstLine(fixture.page, "cart.ts", " // mine");
  await fixture.page.keyboard.press("Escape");
  // A question that is asked before names no edited file.
  await fixture.page.getByText("edited by you").first().waitFor();
  await fixture.page.getByRole("textbox", { name: "Filter the waiting changes" }).waitFor();
  await dismissNotices(fixture.page);
}

export async function reviewInScroll(fixture: Fixture): Promise<void> {
  await reviewMany(fixture);
  await fixture.page.keyboard.press("a");
  await fixture.page.locator(".scroll-current .hunk-current").waitFor();
  await fixture.page.keyboard.press("j");
  await fixture.page.keyboard.press("V");
  await fixture.page.locator('.scroll-current[aria-label="src/item.ts"] .hunk-current').waitFor();
}

export async function openMenu(fixture: Fixture): Promise<void> {
  await review(fixture);
  await button(fixture.page, "Copy or open src/cart.ts …").click();
  await fixture.page.getByRole("menuitem", { name: "Open in code at this line" }).waitFor();
}

export async function rejectOne(fixture: Fixture): Promise<void> {
  await reviewMany(fixture);
  await reject(fixture.page);
  await button(fixture.page, "Put it into the file").waitFor();
}

/** Another version, after a rejection that says why. */
export async function proposeAgain(fixture: Fixture): Promise<void> {
  await review(fixture);
  await comment(fixture, "Put the currency first, as the rest of the shop does.");
  await button(fixture.page, "Reject and say why").click();
  await review(fixture);
  await fixture.page.getByText("Put the currency first").waitFor();
}

export async function showOverText(fixture: Fixture, panel: "files" | "companion"): Promise<void> {
  await reviewMany(fixture);
  await fixture.page.setViewportSize({ width: 390, height: 844 });
  await button(fixture.page, `Show the ${panel}`).click();
  await fixture.page.locator(".overlay").waitFor();
}

/** Of a change that also puts lines into a block. */
export async function hideBlanks({ page, propose }: Fixture): Promise<void> {
  const wrapped = cartOnDisk.replace(
    / {4}let sum.*?(?=^ {4}return)/ms,
    (body) => `    if (this.items.length > 0) {\n${body.replaceAll(/^(?=.)/gm, "  ")}    }\n`,
  );
  await propose("src/cart.ts", wrapped.replace("length == 0", "length === 0"));
  await decidable(page);
  await page.keyboard.press("h");
  await page.getByText("white space alone are shown as unchanged").waitFor();
}

export async function openLongLines(page: Page): Promise<void> {
  await page.keyboard.press("w");
  await openFile(page, "long.ts");
  await page.getByRole("textbox", { name: "long.ts, read only" }).focus();
}

export async function reviewLongLines(fixture: Fixture): Promise<void> {
  connect(fixture);
  await fixture.page.keyboard.press("w");
  await fixture.propose("long.ts", long.replaceAll("9 =", "nine ="));
  await fixture.page.getByText("40 changes").waitFor();
}

export async function findInLongLines(page: Page): Promise<void> {
  await openLongLines(page);
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find", exact: true }).waitFor();
}

/** @param show what is shown in one column */
export async function unify(fixture: Fixture, show: (fixture: Fixture) => Promise<unknown>): Promise<void> {
  await show(fixture);
  await fixture.page.keyboard.press("u");
  await fixture.page.locator(".diff-unified .cm-deletedChunk").first().waitFor({ state: "attached" });
}

export async function editUnified(fixture: Fixture): Promise<void> {
  await unify(fixture, review);
  await fixture.page.keyboard.press("i");
  await fixture.page.keyboard.type("x");
  await fixture.page.getByText("edited by you").waitFor();
}

/** Accepting also what is still to come of the turn, with some files left out. */
export async function askForTheRest(fixture: Fixture): Promise<void> {
  await reviewMany(fixture);
  await fixture.page.getByTitle("Accept the rest of what Qwen Code proposes").click();
  await dialog(fixture.page).getByRole("checkbox").check();
  await dialog(fixture.page).getByRole("textbox").fill("*.sql, migrations/");
}

/** Agents know of the selection. */
export async function selectControlCharacters(fixture: Fixture): Promise<void> {
  const { page, frontend, folder } = fixture;
  connect(fixture);
  await openFile(page, "odd.txt");
  await page.locator(".cm-specialChar").first().waitFor();
  await page.getByRole("textbox", { name: "odd.txt, read only" }).focus();
  const path = `${folder}/odd.txt`;
  const cursor = { line: 1, character: 1 };
  const file = { path, focusedAt: 1, isActive: true as const, cursor, selectedText: "a" };
  frontend.onEvent({ kind: "context-sent", context: { files: [file] }, sessions: 1 });
}

export async function comment({ page }: Fixture, words: string): Promise<void> {
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: /^Comment on line/ }).fill(words);
}

export async function fillFinder(page: Page, words: string): Promise<void> {
  await page.getByRole("combobox", { name: "Find a file" }).fill(words);
  await page.getByRole("option", { name: words }).first().waitFor();
}

export async function openFile(page: Page, name: string): Promise<void> {
  await fillFinder(page, name);
  await page.getByRole("option", { name }).first().click();
}

/** The agent's user decides in the terminal about a change that has edits. @param meanwhile before that */
export async function recoverEdits(fixture: Fixture, meanwhile = async () => {}): Promise<void> {
  const { page, propose, closeFromTerminal } = fixture;
  const proposal = await propose("src/cart.ts", cart);
  await typeInFirstLine(page, "cart.ts", " // mine");
  await page.getByText("edited by you").waitFor();
  await meanwhile();
  await closeFromTerminal(proposal);
  await page.getByText("is saved").first().waitFor();
}

const accepted = {
  at: Date.UTC(2026, 10, 20),
  agent: "Gemini CLI",
  filePath: "src/item.ts",
  outcome: "accepted",
  code: "accepted",
  fileResult: "written",
  texts: { before: item, proposed: itemNow },
} as const;
const rejected = {
  at: accepted.at - 60_000,
  agent: "Gemini CLI",
  filePath: "src/rates.ts",
  outcome: "rejected",
  code: "rejected",
  texts: { before: rates, proposed: "", edited: `${rates}// mine\n` },
} as const;
export const past = [accepted, rejected];

export async function openHistory({ page }: Fixture, name: RegExp): Promise<void> {
  await page.getByRole("region", { name: "History" }).getByRole("button", { name }).first().click();
  await page.locator(".diff .cm-scroller").first().waitFor();
}

/** @returns what makes the companion hang: the page hears nothing more of it */
export async function reloadToHang(page: Page): Promise<() => void> {
  let isHanging = false;
  await page.routeWebSocket(/\/socket/, (link) => {
    const server = link.connectToServer();
    server.onMessage((message) => {
      if (!isHanging) link.send(message);
    });
  });
  await page.reload();
  return () => {
    isHanging = true;
  };
}
