import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultExclusions } from "ide-companion/editor-kit";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { contributes, icon } = manifest;
const commands: string[] = contributes.commands.map(({ command }: { command: string }) => command);
/** Of every language. */
const textFiles = ["", ".pt-br", ".zh-cn", ".zh-tw"].map((suffix) => `package.nls${suffix}.json`);
const readTexts = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, name), "utf8"));

test("by default the same files are kept from agents as in every other editor", () => {
  const { default: kept } = contributes.configuration.properties["ideCompanion.exclude"];
  expect(kept).toEqual(defaultExclusions);
});

test("every picture that the manifest names is there", () => {
  const steps: { media: { svg: string } }[] = contributes.walkthroughs[0].steps;
  const view: { icon: string } = contributes.viewsContainers.activitybar[0];
  for (const path of [icon, view.icon, ...steps.map(({ media }) => media.svg)])
    expect(existsSync(join(folder, path)), path).toBe(true);
});

test("the walkthrough's pictures have the colours of the user's theme, light or dark", () => {
  const steps: { media: { svg: string } }[] = contributes.walkthroughs[0].steps;
  for (const { media } of steps) {
    const drawing = readFileSync(join(folder, media.svg), "utf8");
    const colours = [...drawing.matchAll(/(?:fill|stroke)(?:: |=")([^;"}]+)/g)].map(([, colour]) => colour);
    expect(colours.length).toBeGreaterThan(10);
    // VS Code takes no style sheet there.
    expect(drawing).not.toMatch(/<style|style=/);
    for (const colour of colours) expect(colour).toMatch(/^(?:var\(--vscode-|none|url\()/);
  }
});

test.each(textFiles)(
  "the walkthrough in %s shows no raw backtick: VS Code renders only bold, italic and links there",
  (name) => {
    for (const [key, text] of Object.entries(readTexts(name)))
      if (key.startsWith("walk.")) expect(text, key).not.toContain("`");
  },
);

test.each(textFiles)("%s links to commands that are there", (name) => {
  const texts = JSON.stringify(readTexts(name));
  const linked = [...texts.matchAll(/command:([\w.]+)/g)].map(([, command]) => command);
  expect(linked).toHaveLength(5);
  expect([...commands, "ideCompanion.waiting.focus"]).toEqual(expect.arrayContaining(linked));
});

test("keys and title buttons of ours are there in proposals alone, or when there is something for them", () => {
  const { keybindings, menus } = contributes;
  const places: { command: string; when: string }[] = [...keybindings, ...menus["editor/title"]];
  expect(places.length).toBeGreaterThan(8);
  const ours = /^resourceScheme == ide-companion\b|^ideCompanion\.waiting$|&& ideCompanion\.connected$/;
  for (const { command, when } of places) expect(when, command).toMatch(ours);
});

test("accepting, rejecting, moving between changes and files, and sending a selection have keys of their own", () => {
  const bound: { command: string; key: string; mac: string }[] = contributes.keybindings;
  const names = bound.map(({ command }) => command.replace("ideCompanion.", ""));
  const wanted = [
    ...["accept", "reject", "revertChange", "markChangeViewed", "nextChange", "previousChange"],
    ...["nextProposal", "previousProposal", "sendSelection"],
  ];
  expect(names.sort()).toEqual(wanted.sort());
  expect(new Set(bound.map(({ key }) => key)).size).toBe(bound.length);
  for (const { mac } of bound) expect(mac).not.toContain("ctrl");
});

test("only one of Pause and Resume is offered at a time", () => {
  const palette: { command: string; when: string }[] = contributes.menus.commandPalette;
  const whenOf = (name: string) => palette.find(({ command }) => command === `ideCompanion.${name}`)?.when;
  expect(whenOf("pauseSharing")).toBe("!ideCompanion.sharingPaused");
  expect(whenOf("resumeSharing")).toBe("ideCompanion.sharingPaused");
});
