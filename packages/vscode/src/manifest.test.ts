import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agents } from "ide-companion";
import { defaultExclusions } from "ide-companion/editor-kit";
import { expect, test } from "vitest";
import { withAgents, withAgentTexts } from "../generate-manifest.mjs";

const folder = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { capabilities, contributes, icon } = manifest;
const commands: string[] = contributes.commands.map(({ command }: { command: string }) => command);
/** Of every language. */
const textFiles = ["", ".pt-br", ".zh-cn", ".zh-tw"].map((suffix) => `package.nls${suffix}.json`);
const readTexts = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, name), "utf8"));

const another = { name: "another", displayName: "Another Agent", command: "another-cli" };

test("an agent that is added gets a command, a setting and keywords, and no other line changes", () => {
  const more = withAgents(manifest, [...agents, another]);
  expect(more.displayName).toMatch(/, and Another Agent$/);
  expect(more.keywords).toContain("another");
  expect(more.contributes.commands).toContainEqual({
    command: "ideCompanion.run.another",
    title: "%run.another%",
    category: "IDE Companion",
    icon: "$(sparkle)",
  });
  expect(more.contributes.configuration.properties["ideCompanion.another.command"]).toEqual({
    type: "string",
    default: "another-cli",
    scope: "machine",
    markdownDescription: "%config.another.command%",
  });
  expect(withAgents(more, agents)).toEqual(manifest);
});

test("VS Code leaves the extension off where no file is on disk, and has a reason for its user", () => {
  const { supported, description } = capabilities.virtualWorkspaces;
  expect(supported).toBe(false);
  for (const file of textFiles) expect(readTexts(file)[description.slice(1, -1)], file).toMatch(/./);
});

test.each([
  ["en", "", "Run Another Agent"],
  ["pt-br", ".pt-br", "Executar o Another Agent"],
  ["zh-cn", ".zh-cn", "运行 Another Agent"],
  ["zh-tw", ".zh-tw", "執行 Another Agent"],
])("an agent that is added has its texts in %s", (language, suffix, run) => {
  const texts = readTexts(`package.nls${suffix}.json`);
  const more = withAgentTexts(texts, language, [...agents, another]);
  expect(more.description).toContain("Another Agent");
  expect(more["run.another"]).toBe(run);
  expect(more["config.another.command"]).toContain("Another Agent");
  expect(withAgentTexts(more, language, agents)).toEqual(texts);
});

test("an agent without diffs is not counted among those whose changes open as diffs", () => {
  const contextOnly = { ...another, contextOnly: true } as const;
  for (const [language, suffix] of [
    ["en", ""],
    ["zh-cn", ".zh-cn"],
  ] as const) {
    const { description } = withAgentTexts(readTexts(`package.nls${suffix}.json`), language, [
      ...agents.filter((agent) => !agent.contextOnly),
      contextOnly,
    ]);
    const [diffs = "", context = ""] = description?.split(/\. |。/) ?? [];
    expect([diffs.includes("Another Agent"), context.includes("Another Agent")]).toEqual([false, true]);
  }
});

test("by default the same files are excluded as in every other editor", () => {
  const { default: excluded } = contributes.configuration.properties["ideCompanion.exclude"];
  expect(excluded).toEqual(defaultExclusions);
});

test("a repository's settings choose no program, share nothing private, and let no agent accept its changes", () => {
  const settings = Object.entries<{ scope?: string }>(contributes.configuration.properties);
  const commands = settings.filter(([name]) => name.endsWith(".command"));
  expect(commands.map(([name, { scope }]) => [name, scope])).toEqual(
    agents.map(({ name }) => [`ideCompanion.${name}.command`, "machine"]),
  );
  expect(contributes.configuration.properties["ideCompanion.agentAccept"].scope).toBe("machine");
  expect(capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
    "ideCompanion.exclude",
    "ideCompanion.excludeGitIgnored",
  ]);
});

test("every picture that the manifest names is there", () => {
  const steps: { media: { svg: string } }[] = contributes.walkthroughs[0].steps;
  const view: { icon: string } = contributes.viewsContainers.activitybar[0];
  for (const path of [icon, view.icon, ...steps.map(({ media }) => media.svg)])
    expect(existsSync(join(folder, path)), path).toBe(true);
});

test("a step of the walkthrough is done by what happens: an agent connects, or has written", () => {
  const steps: { id: string; completionEvents?: string[] }[] = contributes.walkthroughs[0].steps;
  const eventsOf = (id: string) => steps.find((step) => step.id === id)?.completionEvents;
  const whens = JSON.stringify([contributes.views, contributes.keybindings]);
  expect(eventsOf("run")).toEqual(["onContext:ideCompanion.connected"]);
  for (const event of [...(eventsOf("run") ?? []), ...(eventsOf("written") ?? [])]) {
    const [kind, name = ""] = event.split(":");
    if (kind === "onContext") expect(whens).toContain(name);
    else expect(commands).toContain(name);
  }
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
  expect(linked).not.toHaveLength(0);
  expect([...commands, "ideCompanion.waiting.focus"]).toEqual(expect.arrayContaining(linked));
});

test("our keys and title buttons are active only in proposals, or when they have something to do", () => {
  const { keybindings, menus } = contributes;
  const conditions: { command: string; when: string }[] = [...keybindings, ...menus["editor/title"]];
  expect(conditions.length).toBeGreaterThan(8);
  const ours =
    /^resourceScheme == ide-companion\b[^|]*(?: \|\| ideCompanion\.proposalInFront && !inputFocus && !terminalFocus)?(?: \|\| resourcePath in ideCompanion\.written && editorTextFocus)?$|^ideCompanion\.waiting$|&& ideCompanion\.connected$|^ideCompanion\.written\b/;
  for (const { command, when } of conditions) expect(when, command).toMatch(ours);
});

test("keys work in the proposal in front where VS Code knows no scheme: with the focus in a list, or nowhere", () => {
  const bound: { command: string; when: string }[] = contributes.keybindings;
  const wide = bound.filter(({ when }) => when.includes("ideCompanion.proposalInFront"));
  expect(wide.map(({ command }) => command.replace("ideCompanion.", ""))).toEqual([
    ...["accept", "reject", "rejectAndSayWhy", "acceptAndAskForMore", "nextChange", "previousChange"],
  ]);
});

test("no key decides while the user writes a comment, and that for saving adds the comment", () => {
  const bound: { command: string; key: string; when: string }[] = contributes.keybindings;
  const deciding = bound.filter(({ command }) => /\.(?:accept|reject)/.test(command));
  expect(deciding).toHaveLength(4);
  for (const { command, when } of deciding) expect(when, command).toContain("&& !commentEditorFocused");
  const adding = bound.find(({ command }) => command === "editor.action.submitComment");
  expect(adding).toMatchObject({
    key: "ctrl+s",
    when: "resourceScheme == ide-companion && commentEditorFocused",
  });
});

test("deciding, moving between changes and files, and sending a selection each have a key", () => {
  const all: { command: string; key: string; mac: string }[] = contributes.keybindings;
  const bound = all.filter(({ command }) => command.startsWith("ideCompanion."));
  const names = bound.map(({ command }) => command.replace("ideCompanion.", ""));
  const wanted = [
    ...["accept", "reject", "revertChange", "markChangeViewed", "nextChange", "previousChange"],
    ...["nextProposal", "previousProposal", "sendSelection"],
    ...["comment", "rejectAndSayWhy", "acceptAndAskForMore"],
    // From any place, and where VS Code has another command on the usual key.
    ...["keepWritten", "revertWritten", "nextChange", "previousChange"],
  ];
  expect(names.sort()).toEqual(wanted.sort());
  expect(new Set(bound.map(({ key }) => key)).size).toBe(bound.length);
  for (const { mac } of all) expect(mac).not.toContain("ctrl");
});

test("only one of Pause and Resume is offered at a time", () => {
  const palette: { command: string; when: string }[] = contributes.menus.commandPalette;
  const whenOf = (name: string) => palette.find(({ command }) => command === `ideCompanion.${name}`)?.when;
  expect(whenOf("pauseSharing")).toBe("!ideCompanion.sharingPaused");
  expect(whenOf("resumeSharing")).toBe("ideCompanion.sharingPaused");
});
