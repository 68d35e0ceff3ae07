import { describe, expect, test } from "vitest";
import { createPaint } from "../core/paint.ts";
import { parseArguments, suggest } from "./arguments.ts";
import { commands, defaultCommand } from "./commands.ts";
import { describeCommand } from "./help.ts";

const find = (name: string) => commands.find((command) => command.name === name) ?? defaultCommand;
const parse = (name: string, ...args: string[]) => parseArguments(find(name), args);

describe("arguments", () => {
  test("are words, switches and values, in any order", () => {
    const given = parse("", "one", "--agent", "gemini", "--no-open", "two", "--agent=qwen");
    expect(given.words).toEqual(["one", "two"]);
    expect(given.all("agent")).toEqual(["gemini", "qwen"]);
    expect(given.has("no-open")).toBe(true);
    expect(given.has("help")).toBe(false);
  });

  test("after two dashes are words", () => {
    expect(parse("", "--", "--no-open").words).toEqual(["--no-open"]);
  });

  test.each([
    [["--agnt", "x"], "there is no option --agnt. Did you mean --agent?"],
    [["-x"], "there is no option -x"],
    [["--agent"], "--agent needs a NAME"],
    [
      ["--agent", "gemni"],
      "--agent must be one of gemini, qwen, claude, codex, copilot, got gemni. Did you mean gemini?",
    ],
    [["--no-open=yes"], "--no-open takes no value, got yes"],
    [
      ["--exclude", "--no-agent-accept"],
      "--exclude needs a GLOB, got --no-agent-accept. One that begins so is given as --exclude=--no-agent-accept",
    ],
    [["--log-level=debug", "--log-level=quiet"], "--log-level was given twice"],
  ])("%j are refused by name", (args, message) => {
    expect(() => parse("", ...args)).toThrow(message);
  });

  test("that begin with a dash are values where they are given as such", () => {
    expect(parse("", "--exclude=-draft*").all("exclude")).toEqual(["-draft*"]);
    expect(parse("diff", "-o", "-", "a", "b").all("output")).toEqual(["-"]);
  });

  test("one too many is refused", () => {
    expect(() => parse("status", "x")).toThrow("x is one argument too many");
  });

  test("an empty one is refused: as a folder it would be the present one", () => {
    for (const name of ["", "forward"])
      expect(() => parse(name, "")).toThrow("one of the arguments is empty");
  });

  test("of run: what follows the agent's name is the agent's, with or without two dashes", () => {
    expect(parse("run", "gemini", "--", "-p", "--", "x").passedOn).toEqual(["-p", "--", "x"]);
    expect(parse("run", "gemini", "--help", "-p", "x").passedOn).toEqual(["--help", "-p", "x"]);
    expect(parse("run", "gemini").passedOn).toEqual([]);
    expect(parse("run", "--help").has("help")).toBe(true);
  });
});

describe("the help", () => {
  test.each(commands)("of '$name' names every option and fits into 80 columns", (command) => {
    const text = describeCommand(command, createPaint(false));
    for (const { name } of command.options) expect(text).toContain(`--${name}`);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("of the program names every command and the exit codes", () => {
    const text = describeCommand(defaultCommand, createPaint(false));
    for (const word of ["run gemini|qwen", "status", "completions", "Exit codes", "128 + n"]) {
      expect(text).toContain(word);
    }
  });
});

test("a suggestion is made for what is near, and for nothing else", () => {
  const known = ["run", "status", "completions"];
  expect(suggest("stauts", known)).toBe(". Did you mean status?");
  expect(suggest("rum", known)).toBe(". Did you mean run?");
  expect(suggest("src", known)).toBe("");
  expect(suggest("x", [])).toBe("");
});
