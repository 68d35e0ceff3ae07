import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { browserOptions } from "../../packages/testkit/src/browser.mjs";
import { inRepository } from "../repository.mjs";
import { files, proposals, settled } from "./sample.mjs";

/** Writes the pictures of the page that the documentation shows, from the built frontend and the built page. */
export async function takePictures() {
  const folder = inRepository("docs", "pictures");
  const { startReviewFrontend } = await import(
    "../../packages/companion/dist/frontends/review/review-frontend.js"
  );
  for (const agent of ["claude-code", "copilot-cli"]) await mkdir(join(folder, agent), { recursive: true });
  const home = await mkdtemp(join(tmpdir(), "pictures-"));
  const browser = await chromium.launch(browserOptions);
  try {
    const root = await writeSample(home);
    for (const shot of shots) await takePicture(startReviewFrontend, browser, root, folder, shot);
  } finally {
    await browser.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function writeSample(home) {
  const root = join(home, "shop");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

async function takePicture(startReviewFrontend, browser, root, folder, { name, scheme = "light", arrange }) {
  const { Status } = await import("../../packages/companion/dist/core/status.js");
  const status = new Status();
  const frontend = await startReviewFrontend({ roots: [root], version: "0.1.0", agents });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    frontend.useCompanion(companionWith(status));
    await page.goto(frontend.newLink());
    await page.getByRole("treeitem", { name: "README.md" }).waitFor();
    await arrange({ page, frontend, status, root });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  } finally {
    await context.close();
    await frontend.close();
  }
}

const agents = [
  { displayName: "Gemini CLI", command: "gemini" },
  { displayName: "Qwen Code", command: "qwen" },
];

const shots = [
  { name: "review-light", arrange: showReview },
  { name: "review-dark", scheme: "dark", arrange: showReview },
  { name: "claude-code/review-page", arrange: showClaude },
  { name: "copilot-cli/review-page", arrange: showCopilot },
];

async function showReview({ page, frontend, status, root }) {
  connect(status, "Gemini CLI", "0.61.0");
  connect(status, "Qwen Code", "0.24.4");
  const [agent, name] = settled;
  const figures = { added: 1, removed: 1 };
  const decision = { id: "0", at: Date.now(), agent, outcome: "accepted", code: "accepted", ...figures };
  frontend.useCompanion(companionWith(status, [{ ...decision, filePath: join(root, name) }]));
  tellContext(status, root);
  for (const [index, [by, file, content]] of proposals.entries()) {
    await propose(frontend, root, { agent: by, name: file, text: content, id: `${index + 1}` });
  }
  await page.getByRole("button", { name: "Mark change 1 as viewed" }).click();
  await page.getByText("1 of 3 changes viewed").waitFor();
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  while ((await dismiss.count()) > 0) await dismiss.first().click();
}

/** What the page asks of its companion: its status, and decisions. */
function companionWith(status, decisions = []) {
  const none = { list: () => [], onChange: () => () => {} };
  const history = { ...none, list: () => decisions, proposalOf: () => undefined };
  return { status, edits: none, comments: none, turns: { ...none, list: [] }, history };
}

/** A change with a comment that is ready to be sent. */
async function showClaude({ page, frontend, status, root }) {
  connect(status, "Claude Code", "2.1.332");
  tellContext(status, root);
  const [, name, text] = proposals[0];
  await propose(frontend, root, { agent: "Claude Code", name, text, id: "1" });
  await page.locator(".cm-line", { hasText: "total.currency" }).last().click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.keyboard.insertText("Put the currency first, as the rest of the shop does.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Reject and say why" }).waitFor();
}

/** A change that its agent writes as it is. */
async function showCopilot({ page, frontend, status, root }) {
  const agent = "Copilot CLI";
  connect(status, agent, "1.0.102");
  tellContext(status, root);
  const [, name, text] = proposals[0];
  const readOnlyReason = { code: "takes-no-edits", values: [agent] };
  await propose(frontend, root, { agent, name, text, id: "1", readOnlyReason });
  await page.getByText(`${agent} takes no edits`).first().waitFor();
}

function connect(status, agent, version) {
  const client = { name: agent.toLowerCase().replace(" ", "-"), version };
  const session = { id: agent, agent, client, connectedAt: Date.now() };
  status.take({ kind: "stream-opened", session });
}

async function propose(frontend, root, { agent, name, text, id, readOnlyReason }) {
  const filePath = join(root, name);
  const { readFileNow } = await import("../../packages/companion/dist/files/file-text.js");
  const proposal = {
    id,
    sessionId: agent,
    agent,
    filePath,
    newContent: text,
    base: readFileNow(filePath).file,
    openedAt: Date.now(),
    ...(readOnlyReason !== undefined && { readOnlyReason }),
  };
  await frontend.editor.openDiff(
    proposal,
    () => ({ taken: true }),
    () => {},
    () => {},
  );
  return proposal;
}

function tellContext(status, root) {
  const now = Date.now();
  const selectedText = files["src/cart.ts"].split("\n").slice(16, 19).join("\n");
  const sent = [
    {
      path: join(root, "src/cart.ts"),
      focusedAt: now,
      isActive: true,
      cursor: { line: 20, character: 1 },
      selectedText,
    },
    { path: join(root, "src/item.ts"), focusedAt: now - 1000 },
  ];
  status.take({ kind: "context-sent", context: { files: sent }, sessions: 1 });
}
