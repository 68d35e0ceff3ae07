import { expect, test } from "vitest";
import { runSequences } from "./sequences.ts";

async function broken(count: number, kills: number): Promise<{ broken: string[]; figures: string[] }> {
  const heard = { broken: [] as string[], figures: [] as string[] };
  const report = {
    progress: () => {},
    figure: (name: string, value: string | number) => void heard.figures.push(`${value} ${name}`),
    broken: (symptom: string, sequence = "") => void heard.broken.push(`${symptom}\n${sequence}`),
  };
  await runSequences({ minutes: 2, seed: 20_260, report }, { count, kills });
  return heard;
}

test("a hundred random sequences of three CLIs and two editors break no promise", async () => {
  const { broken: symptoms, figures } = await broken(100, 0);
  expect(symptoms).toEqual([]);
  expect(figures).toContain("100 sequences");
});

test("nor do some in which companions, editors and CLIs are killed", async () => {
  expect((await broken(12, 30)).broken).toEqual([]);
});
