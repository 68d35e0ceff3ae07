import { editorOf, typeInFirstLine } from "./page-harness.ts";
import {
  agents,
  askForTheRest,
  button,
  cart,
  comment,
  connect,
  dialog,
  editUnified,
  fillFinder,
  findInLongLines,
  hideBlanks,
  large,
  mergeOneMoreLine,
  openFile,
  openHistory,
  openLongLines,
  openMenu,
  past,
  proposeAgain,
  recoverEdits,
  rejectOne,
  reloadToHang,
  renderReadme,
  review,
  reviewInScroll,
  reviewLongLines,
  reviewMany,
  selectControlCharacters,
  showOverText,
  svg,
  unify,
} from "./state-steps.ts";
import { type PageState, written } from "./written-states.ts";

const reading: readonly PageState[] = [
  {
    name: "empty",
    options: { agents },
    arrange: ({ page }) => page.getByText("/ide enable").first().waitFor(),
  },
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
  { name: "selection in a file with control characters", arrange: selectControlCharacters },
  {
    name: "finder over a file",
    arrange: async (fixture) => {
      await selectControlCharacters(fixture);
      await fillFinder(fixture.page, "a");
    },
  },
  { name: "long lines", arrange: ({ page }) => openLongLines(page) },
  { name: "find in long lines", arrange: ({ page }) => findInLongLines(page) },
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
      await fixture.page
        .getByText(/\d+ of \d+/)
        .first()
        .waitFor();
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
  { name: "unified", arrange: (fixture) => unify(fixture, review) },
  { name: "edited, unified", arrange: editUnified },
  { name: "white space hidden", arrange: hideBlanks },
  { name: "white space hidden, unified", arrange: (fixture) => unify(fixture, hideBlanks) },
  { name: "menu of a file", arrange: openMenu, options: { editorCommand: ["code"] } },
  { name: "change of long lines", arrange: reviewLongLines },
  { name: "change of long lines, unified", arrange: (fixture) => unify(fixture, reviewLongLines) },
  {
    name: "edited and viewed",
    arrange: async (fixture) => {
      const proposal = await review(fixture);
      await fixture.page.getByRole("button", { name: "Mark change 1 as viewed" }).click();
      await typeInFirstLine(fixture.page, "cart.ts", " // mine");
      await mergeOneMoreLine(fixture, proposal);
      await fixture.page.getByText("The file has changed on disk").waitFor();
    },
  },
  {
    name: "read-only",
    arrange: async ({ page, propose }) => {
      await propose("src/cart.ts", cart, "Copilot CLI", { code: "takes-no-edits", values: ["Copilot CLI"] });
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
  { name: "Markdown rendered", arrange: renderReadme },
  {
    name: "image",
    arrange: async ({ page, propose }) => {
      await propose("logo.svg", svg("orange"));
      await page.getByRole("button", { name: "Show as a picture" }).click();
      await page.locator('iframe[title="Proposed"]').waitFor();
    },
  },
  {
    name: "large",
    arrange: async ({ page, propose }) => {
      await propose(
        "table.csv",
        large.map((line, index) => (index % 9000 === 7 ? "other\n" : line)).join(""),
      );
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
      await fixture.page.getByRole("button", { name: "Comment on the change (C)" }).click();
      await fixture.page.keyboard.type("Please keep the signature of total().");
      await fixture.page.getByText("3 comments", { exact: true }).waitFor();
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
      recoverComments(proposal, "unreached");
      await page.getByRole("region", { name: "Notices" }).waitFor();
    },
  },
];

const deciding: readonly PageState[] = [
  { name: "many", arrange: reviewMany },
  { name: "many in one scroll", arrange: reviewInScroll },
  { name: "rejected", arrange: rejectOne },
  { name: "proposed again", arrange: proposeAgain },
  { name: "list over the text", arrange: (fixture) => showOverText(fixture, "files") },
  { name: "companion over the text", arrange: (fixture) => showOverText(fixture, "companion") },
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
  { name: "accept the rest", arrange: askForTheRest },
  {
    name: "accepting ahead",
    arrange: async (fixture) => {
      await askForTheRest(fixture);
      await fixture.page.getByRole("button", { name: "Accept 6 changes" }).click();
      await fixture.propose("src/five.ts", "new();\n");
      await fixture.page.getByText("1 accepted so far.").waitFor();
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
      await fixture.page.getByRole("button", { name: "If undone" }).click();
      await fixture.page.getByRole("button", { name: "Undo this change" }).waitFor();
    },
  },
  {
    name: "my version again",
    options: { past },
    arrange: async (fixture) => {
      await openHistory(fixture, /rates\.ts/);
      await fixture.page.getByRole("button", { name: "If accepted" }).click();
      await fixture.page.getByRole("button", { name: "Accept my version" }).waitFor();
    },
  },
  { name: "recovered edits", arrange: (fixture) => recoverEdits(fixture) },
  {
    name: "recovered edits and another change",
    arrange: (fixture) =>
      recoverEdits(fixture, async () => {
        await fixture.propose("odd.txt", "a\r\nb");
        await fixture.page.getByText("proposes a change of odd.txt").first().waitFor();
      }),
  },
  {
    name: "recovered edits compared",
    arrange: async (fixture) => {
      await recoverEdits(fixture);
      await button(fixture.page, "Compare").click();
      await fixture.page.locator(".diff-title .badge").getByText("recovered", { exact: true }).waitFor();
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
    // A separate page: it hangs for good.
    options: { browser: { colorScheme: "light" } },
    arrange: async (fixture) => {
      const hang = await reloadToHang(fixture.page);
      await review(fixture);
      hang();
      await fixture.page.getByText("The companion does not answer.").waitFor();
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
  ...written,
];
