import { describe, expect, test } from "vitest";
import { parseAnswer } from "./choose.ts";
import type { Installer } from "./installers.ts";

const load = () => Promise.reject(new Error("nothing is set up here"));
const offered: readonly Installer[] = [
  { name: "neovim", displayName: "Neovim", kind: "editor", programs: ["nvim"], load },
  { name: "kakoune", displayName: "Kakoune", kind: "editor", programs: ["kak"], load },
  { name: "gemini", displayName: "Gemini CLI", kind: "agent", programs: ["gemini"], load },
];

describe("the answer to Which?", () => {
  test.each([
    ["", ["neovim", "kakoune"]],
    ["y", ["neovim", "kakoune"]],
    [" YES ", ["neovim", "kakoune"]],
    ["all", ["neovim", "kakoune"]],
    ["q", []],
    ["No", []],
    ["1", ["neovim"]],
    ["3, 1 3", ["gemini", "neovim"]],
    ["neovim", ["neovim"]],
    ["Kakoune 3", ["kakoune", "gemini"]],
  ])("%j chooses %j", (answer, names) => {
    const choice = parseAnswer(answer, offered);
    expect(typeof choice !== "string" && choice.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ["0", "0"],
    ["1 4", "4"],
    ["vim", "vim"],
    ["y 1", "y"],
  ])("%j is asked again", (answer, word) => {
    const sentence = `There is no ${word} in this list: type numbers from 1 to 3, or names.`;
    expect(parseAnswer(answer, offered)).toBe(sentence);
  });
});
