import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, type FixtureOptions, reject, typeInFirstLine } from "./page-harness.ts";

const fixtures = useFixtures();

async function setUp(options: FixtureOptions) {
  const fixture = await fixtures.setUp(options);
  const { page } = fixture;
  const open = (name: RegExp) =>
    page.getByRole("region", { name: "History" }).getByRole("button", { name }).first().click();
  const undo = async () => {
    await page.getByRole("button", { name: "If undone", exact: true }).click();
    await page.getByRole("button", { name: "Undo this change" }).click();
  };
  return { ...fixture, open, undo };
}

const earlier = {
  at: Date.UTC(2026, 10, 20),
  agent: "Gemini CLI",
  filePath: "a.txt",
  outcome: "accepted",
  code: "accepted",
  fileResult: "written",
  texts: { before: "one\ntwo\n", proposed: "one\nTWO\n" },
} as const;

test("an accepted change is undone, and what has changed elsewhere stays", async () => {
  const { page, folder, propose, open, undo } = await setUp({ files: { "a.txt": "one\ntwo\n" } });
  await propose("a.txt", "one\nTWO\n");
  await accept(page);
  writeFileSync(join(folder, "a.txt"), "new\none\nTWO\n");
  await open(/a\.txt/);
  await undo();
  await page.getByText("The change of a.txt is undone.").waitFor();
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\none\ntwo\n");
});

test("an entry reads undone after that, and accepted after all", async () => {
  const { page, open, undo } = await setUp({ files: { "a.txt": "one\nTWO\n" }, past: [earlier] });
  const entry = page.getByRole("region", { name: "History" }).getByRole("listitem").first();
  await expect.poll(() => entry.textContent()).toContain(" · accepted, written");
  await open(/a\.txt/);
  await undo();
  await expect.poll(() => entry.textContent()).toContain(" · accepted, written, undone");
  await page.getByRole("button", { name: "If accepted" }).click();
  await page.getByRole("button", { name: "Accept it after all" }).click();
  await expect.poll(() => entry.textContent()).toContain("written, accepted after all");
});

test("all accepted changes of a turn are undone at once, and what does not fit is left", async () => {
  const { page, folder, propose, write, open } = await setUp({
    files: { "a.txt": "one\ntwo\n", "b.txt": "b\n", "c.txt": "c\n" },
  });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  for (const [name, text] of [
    ["a.txt", "one\nTWO\n"],
    ["b.txt", "B\n"],
    ["a.txt", "one\nTWO\nthree\n"],
    ["c.txt", "C\n"],
    ["new.txt", "new\n"],
  ] as const) {
    await propose(name, text);
    await accept(page);
    await write(name, text);
  }
  await write("c.txt", "another\n");
  await open(/a\.txt/);
  await page.getByRole("button", { name: "Undo the turn …" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo 5 changes" });
  expect(await dialog.getByRole("listitem").count()).toBe(5);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(read("b.txt")).toBe("B\n");
  await page.getByRole("button", { name: "Undo the turn …" }).click();
  await page.keyboard.press("Enter");
  await page.getByText("Some changes could not be undone: look at each of them.").first().waitFor();
  expect([read("a.txt"), read("b.txt"), read("c.txt")]).toEqual(["one\ntwo\n", "b\n", "another\n"]);
  expect(existsSync(join(folder, "new.txt"))).toBe(false);
  const history = page.getByRole("region", { name: "History" });
  await expect.poll(() => history.getByText(/undone/).count()).toBe(4);
  await page.getByRole("button", { name: "Undo the turn …" }).waitFor({ state: "detached" });
});

/** A change of `a.txt` that is rejected with a comment. */
async function rejectWithComment() {
  const fixture = await setUp({ files: { "a.txt": "one\ntwo\n" } });
  const { page, propose } = fixture;
  await propose("a.txt", "one\nTWO\n");
  await typeInFirstLine(page, "a.txt", "");
  await page.keyboard.press("Alt+c");
  await page.getByRole("textbox", { name: "Comment on line 1" }).fill("Keep it short.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Reject and say why" }).click();
  return fixture;
}

test("comments that were sent with a rejection are in its entry", async () => {
  const { page, open } = await rejectWithComment();
  await open(/a\.txt/);
  await page.getByText("Comment on line 1 Keep it short.").waitFor();
});

test("a change that is proposed again shows what was written about its earlier version, and what is different", async () => {
  const { page, propose } = await rejectWithComment();
  await propose("a.txt", "one\n2\n");
  await page.getByText("You have seen an earlier version: rejected.").waitFor();
  await page.getByText("Comment on line 1 Keep it short.").waitFor();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("The earlier version is marked −, the one that waits +.").waitFor();
  await page.locator(".panel:not([hidden]) .cm-line", { hasText: "TWO" }).waitFor();
});

test("decisions of earlier runs are listed, open again, and are undone", async () => {
  const rejected = { ...earlier, filePath: "b.txt", outcome: "rejected", code: "rejected" } as const;
  const { page, folder, open, undo } = await setUp({
    files: { "a.txt": "one\nTWO\n", "b.txt": "" },
    past: [earlier, { ...rejected, at: earlier.at - 1000 }],
  });
  await page
    .getByText(/Nov 20/)
    .first()
    .waitFor();
  expect(await page.getByRole("region", { name: "Notices" }).getByText("a.txt").count()).toBe(0);
  await open(/b\.txt/);
  await page.getByRole("button", { name: "Proposed", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "If undone", exact: true }).count()).toBe(0);
  await open(/a\.txt/);
  await undo();
  await page.getByText("The change of a.txt is undone.").waitFor();
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
});

test("a double click undoes a change once, and does not put the user's version into it again", async () => {
  const edited = { ...earlier.texts, accepted: "one\nmine\n" };
  const { page, folder, open } = await setUp({
    files: { "a.txt": "one\nmine\n" },
    past: [{ ...earlier, code: "accepted-edited", texts: edited }],
  });
  await open(/a\.txt/);
  await page.getByRole("button", { name: "If undone", exact: true }).click();
  await page.getByRole("button", { name: "Undo this change" }).click({ clickCount: 2, delay: 60 });
  await page.getByText("The change of a.txt is undone.").waitFor();
  await page.getByRole("button", { name: "If accepted" }).waitFor();
  expect(await page.getByRole("button", { name: "Accept my version" }).count()).toBe(0);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
});

test("an undoing whose answer is lost with the connection is reported", async () => {
  const { page, open, undo } = await setUp({ files: { "a.txt": "one\nTWO\n" }, past: [earlier] });
  let isFailing = true;
  await page.routeWebSocket(/\/socket/, (link) => {
    const server = link.connectToServer();
    link.onMessage((message) => {
      if (isFailing && String(message).includes('"undo"')) void link.close();
      else server.send(message);
    });
    server.onMessage((message) => link.send(message));
  });
  await page.reload();
  await open(/a\.txt/);
  await undo();
  await page.getByText("The companion cannot be reached just now.").waitFor();
  isFailing = false;
  await page.getByText("not connected", { exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo this change" }).click();
  await page.getByText("The change of a.txt is undone.").waitFor();
});

test("a file that has changed since it was shown is not written", async () => {
  const { page, folder, open } = await setUp({ files: { "a.txt": "one\nTWO\n" }, past: [earlier] });
  await open(/a\.txt/);
  await page.getByRole("button", { name: "If undone", exact: true }).click();
  await page.getByRole("button", { name: "Undo this change" }).waitFor();
  writeFileSync(join(folder, "a.txt"), "one\nTWO\nthree\n");
  await page.getByRole("button", { name: "Undo this change" }).click();
  await page.getByText("The file has changed since you looked at it. Look at it once more.").waitFor();
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\nTWO\nthree\n");
});

test("a change that cannot be undone says why, and one that made its file deletes it", async () => {
  const { page, folder, open, undo } = await setUp({
    files: { "a.txt": "one\nzwei\n", "b.txt": "one\nTWO\n" },
    past: [earlier, { ...earlier, filePath: "b.txt", texts: { before: null, proposed: "one\nTWO\n" } }],
  });
  await open(/a\.txt/);
  await page.getByText("The file has changed since in the same places: undo it by hand.").waitFor();
  await open(/b\.txt/);
  await undo();
  await page.getByText("The change of b.txt is undone.").waitFor();
  expect(existsSync(join(folder, "b.txt"))).toBe(false);
});

test("the user's version is proposed again, written by a click, and its reference sent by another", async () => {
  const sent: string[] = [];
  const { page, folder, frontend, session, propose, open } = await setUp({
    files: { "a.txt": "one\ntwo\n" },
    send: async ({ mentions = [] }) => {
      sent.push(...mentions.map(({ path }) => path));
      return { kind: "sent", agent: "Qwen Code" };
    },
  });
  frontend.onEvent({ kind: "session-opened", session });
  await propose("a.txt", "one\nTWO\n");
  await typeInFirstLine(page, "a.txt", ", mine");
  await reject(page);
  writeFileSync(join(folder, "a.txt"), "new\none\ntwo\n");
  await open(/a\.txt/);
  await page.getByRole("button", { name: "If accepted" }).click();
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\none\ntwo\n");
  await page.getByRole("button", { name: "Accept my version" }).click();
  await page.getByText("a.txt contains your version now.").waitFor();
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\none, mine\nTWO\n");
  expect(sent).toEqual([]);
  await page.getByRole("region", { name: "Notices" }).getByRole("button", { name: "Send to agent" }).click();
  await page.getByText("The prompt of Qwen Code has the reference.").first().waitFor();
  expect(sent).toEqual([join(folder, "a.txt")]);
});

test("a version that does not fit any more is not proposed, and the page says why", async () => {
  const edited = { ...earlier.texts, edited: "one\nmine\n" };
  const { page, open } = await setUp({
    files: { "a.txt": "eins\nzwei\n" },
    past: [{ ...earlier, outcome: "rejected", code: "rejected", texts: edited }],
  });
  await open(/a\.txt/);
  await page
    .getByText("The file has changed since in the same places: put the change into it by hand.")
    .waitFor();
  expect(await page.getByRole("button", { name: "If accepted" }).count()).toBe(0);
});

for (const outcome of ["rejected", "closed"] as const) {
  test(`a change that was ${outcome}, and not edited, is accepted after all`, async () => {
    const { page, folder, open } = await setUp({
      files: { "a.txt": "new\none\ntwo\n" },
      past: [{ ...earlier, outcome, code: outcome === "closed" ? "closed: agent" : outcome }],
    });
    await open(/a\.txt/);
    await page.getByRole("button", { name: "If accepted" }).click();
    await page.getByRole("button", { name: "Accept it after all" }).click();
    await page.getByText("a.txt contains the change now.").waitFor();
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\none\nTWO\n");
  });
}

test("the history is searched by file, agent and outcome", async () => {
  const names = ["a", "b", "c", "d", "e"].map((name) => `${name}.txt`);
  const past = [
    ...names.map((filePath, index) => ({ ...earlier, filePath, at: earlier.at - index })),
    { ...earlier, agent: "Qwen Code", outcome: "rejected", code: "rejected", filePath: "src/f.txt" } as const,
  ];
  const { page } = await setUp({ files: {}, past });
  const history = page.getByRole("region", { name: "History" });
  const search = history.getByRole("textbox", { name: "Search the history" });
  const shown = async () =>
    (await history.getByRole("listitem").allInnerTexts()).map((text) => text.slice(0, 1));
  for (const [words, found] of [
    ["QWEN", ["f"]],
    ["rejected", ["f"]],
    ["src/", ["f"]],
    ["c.txt", ["c"]],
    ["Gemini", ["a", "b", "c", "d", "e"]],
  ] as const) {
    await search.fill(words);
    await expect.poll(shown).toEqual(found);
  }
  await search.fill("nothing such");
  await history.getByText("No decision fits.").waitFor();
  await search.press("Escape");
  await expect.poll(() => shown()).toHaveLength(6);
});
