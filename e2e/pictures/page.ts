import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { proposals, settled } from "../../scripts/pictures/sample.mjs";
import { startCompanion } from "../harness/companion.ts";
import { openReviewPage, type ReviewPage } from "../harness/review-page.ts";
import {
  connectAsGemini,
  inShop,
  pictures,
  proposeAsClaude,
  proposeAsCopilot,
  proposeAsQwen,
  type Shop,
} from "./shop.ts";

/** `node page.ts FOLDER`, on a Node that runs TypeScript: writes pictures of the review page. */
const shots = [
  { name: "review-light", scheme: "light", arrange: showReview },
  { name: "review-dark", scheme: "dark", arrange: showReview },
  { name: "claude-code/review-page", scheme: "light", arrange: showClaude },
  { name: "copilot-cli/review-page", scheme: "light", arrange: showCopilot },
] as const;

for (const { name, scheme, arrange } of shots) {
  await inShop(async (shop) => {
    const { link } = await startCompanion(shop.sandbox, { args: [shop.folder] });
    const review = await openReviewPage(shop.sandbox, link);
    const { page } = review;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await review.openFile("cart.ts");
    await review.select("sum = sum + this.items[i].price;");
    await arrange(shop, review);
    const path = join(pictures, `${name}.png`);
    await mkdir(dirname(path), { recursive: true });
    await page.screenshot({ path });
  });
}

/** Changes of two agents, and a decision. */
async function showReview(shop: Shop, review: ReviewPage): Promise<void> {
  const { page } = review;
  const [, name, text] = settled;
  const proposeAsGemini = await connectAsGemini(shop);
  await proposeAsGemini(settled);
  await (await review.proposal("item.ts")).accept();
  await writeFile(join(shop.folder, name), text);
  await review.nothingWaits();
  await proposeAsGemini();
  await proposeAsQwen(shop, proposals[1]);
  await review.proposal("cart.ts");
  await page.getByRole("button", { name: "Mark change 1 as viewed" }).click();
  await page.getByText("1 of 3 changes viewed").waitFor();
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  while ((await dismiss.count()) > 0) await dismiss.first().click();
}

/** A change with a comment that is ready to be sent. */
async function showClaude(shop: Shop, review: ReviewPage): Promise<void> {
  const { page } = review;
  await proposeAsClaude(shop);
  await review.proposal("cart.ts");
  await page.locator(".cm-line", { hasText: "total.currency" }).last().click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.keyboard.insertText("Put the currency first, as the rest of the shop does.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Reject and say why" }).waitFor();
}

/** A change that its agent writes as it is. */
async function showCopilot(shop: Shop, review: ReviewPage): Promise<void> {
  await proposeAsCopilot(shop);
  await review.proposal("cart.ts");
  await review.page.getByText("Copilot CLI takes no edits").first().waitFor();
}
