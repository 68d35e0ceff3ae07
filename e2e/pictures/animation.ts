import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { proposals } from "../../scripts/pictures/sample.mjs";
import { startConnected } from "../harness/agent-cli.ts";
import { startCompanion } from "../harness/companion.ts";
import { gemini } from "../harness/gemini.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { type Frame, toAnimatedPng } from "./animated-png.ts";
import { inShop, pictures } from "./shop.ts";

/** `node animation.ts FOLDER`, on a Node that runs TypeScript: writes a review of Gemini CLI's change as it goes on. */
await inShop(async ({ sandbox, folder }) => {
  const [, name, text] = proposals[0];
  const { link } = await startCompanion(sandbox, { args: [folder] });
  const review = await openReviewPage(sandbox, link);
  const { page } = review;
  await page.setViewportSize({ width: 960, height: 640 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const agent = await startConnected(sandbox, gemini, { cwd: folder, trusted: [folder] });
  await agent.proposeWrite(join(folder, name), text);
  const proposal = await review.proposal("cart.ts");

  const toFrame = async (milliseconds: number): Promise<Frame> => ({
    png: await page.screenshot({ caret: "initial" }),
    milliseconds,
  });
  const frames: [Frame, ...Frame[]] = [await toFrame(2500)];
  const show = async (milliseconds: number) => void frames.push(await toFrame(milliseconds));
  await page.getByRole("button", { name: "Mark change 1 as viewed" }).click();
  await page.getByText("1 of 3 changes viewed").waitFor();
  await show(1500);
  await proposal.edit("amount, currency };", "amount: round(amount), currency };");
  await page.getByText("edited by you").waitFor();
  await show(2000);
  await page.locator(".cm-line", { hasText: "total.currency" }).last().click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await show(1000);
  await page.keyboard.insertText("Put the currency first, as the rest of the shop does.");
  await show(1500);
  await page.keyboard.press("Control+Enter");
  await show(1500);
  await page.getByRole("button", { name: "Accept and ask for more" }).click();
  for (const notice of ["Your comments are in the prompt of Gemini CLI", "Accepted: src/cart.ts"])
    await page.getByRole("region", { name: "Notices" }).getByText(notice).waitFor();
  await show(3500);
  await writeFile(join(pictures, "review.png"), toAnimatedPng(frames));
});
