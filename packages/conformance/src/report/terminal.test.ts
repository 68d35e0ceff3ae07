import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createRuleBook, observed } from "../contracts/requirement.ts";
import { headOf } from "../run/result.ts";
import { createPaint } from "./paint.ts";
import { describeReport } from "./terminal.ts";

test("a report has every MUST before every SHOULD, what keeps others out first, and why each is a rule", () => {
  const group = "messages";
  const rules = createRuleBook(new Map([[group, "Messages"]]), [
    { id: "A1", group, level: "SHOULD", rule: "x", sources: [observed("first")] },
    { id: "A2", group, level: "MUST", rule: "x", sources: [observed("second")] },
    { id: "A3", group, level: "MUST", isSecurity: true, rule: "x", sources: [observed("third")] },
  ]);
  const results = ["A1", "A2", "A3"].map((id) => {
    const head = headOf({ id, title: id, requirements: [id], lane: "wire" }, rules);
    return { ...head, status: "failed" as const, message: "wrong", evidence: [], milliseconds: 0 };
  });
  const about = { companion: "One", address: "port 1", agents: ["CLI"], startedAt: "", milliseconds: 0 };
  const options = { rules, paint: createPaint(new Writable()), width: 80, verbose: false, strict: false };
  const text = stripVTControlCharacters(describeReport({ ...about, results }, options));
  expect(text.match(/broken: A\d|Because: .*/g)).toEqual([
    "broken: A3",
    "Because: third",
    "broken: A2",
    "Because: second",
    "broken: A1",
    "Because: first",
  ]);
});
