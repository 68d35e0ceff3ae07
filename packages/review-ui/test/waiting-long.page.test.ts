import { expect, onTestFinished, test, vi } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures();

test.each([
  { seconds: 61, says: true },
  { seconds: 1, says: false },
])(
  "after $seconds s, a change says that its agent shows no other one before it ends: $says",
  async (waited) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - waited.seconds * 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const { page, propose } = await setUp({ files: { "a.txt": "one\n" } });
    await propose("a.txt", "1\n", "Gemini CLI");
    await page.getByRole("textbox", { name: "a.txt as proposed, editable" }).waitFor();
    expect(await page.getByText("Gemini CLI waits for this before it shows another.").isVisible()).toBe(
      waited.says,
    );
  },
);
