import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const { contributes, icon } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const commands: string[] = contributes.commands.map(({ command }: { command: string }) => command);

test("every picture that the manifest names is there", () => {
  const steps: { media: { image: string } }[] = contributes.walkthroughs[0].steps;
  expect(existsSync(join(folder, icon))).toBe(true);
  // The build puts docs/pictures/vscode there.
  const packed = readdirSync(join(folder, "../../docs/pictures/vscode"));
  for (const { media } of steps) {
    expect(media.image).toMatch(/^dist\/pictures\//);
    expect(packed).toContain(basename(media.image));
  }
});

test.each(["", ".pt-br", ".zh-cn", ".zh-tw"])(
  "package.nls%s.json links to commands that are there",
  (suffix) => {
    const texts = readFileSync(join(folder, `package.nls${suffix}.json`), "utf8");
    const linked = [...texts.matchAll(/command:([\w.]+)/g)].map(([, command]) => command);
    expect(linked).toHaveLength(2);
    expect(commands).toEqual(expect.arrayContaining(linked));
  },
);

test("keys and title buttons of ours are there in proposals alone", () => {
  const { keybindings, menus } = contributes;
  const places: { command: string; when: string }[] = [...keybindings, ...menus["editor/title"]];
  expect(places.length).toBeGreaterThan(4);
  for (const { command, when } of places) expect(when, command).toMatch(/^resourceScheme == ide-companion\b/);
});
