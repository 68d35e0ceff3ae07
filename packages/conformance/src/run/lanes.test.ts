import { expect, test } from "vitest";
import type { CheckHead } from "../contracts/check.ts";
import { createRuleBook, observed } from "../contracts/requirement.ts";
import { runLanes } from "./lanes.ts";
import type { Outcome } from "./result.ts";

const ids = ["handshake", "several-clis", "close-all", "own-diff", "last"];
const rules = createRuleBook(
  new Map([["one", "One"]]),
  ids.map((id) => ({ id, group: "one", level: "MUST", rule: id, sources: [observed("seen")] })),
);

/** A companion that remembers which checks have used it. */
type Companion = { readonly used: string[]; isShared: boolean };
type Run = (check: CheckHead, companion: Companion) => Partial<Outcome["result"]> & Partial<Outcome>;

async function runOn(run: Run, { canStart = true, mayHang = "" } = {}) {
  const checks = ids.map((id) => ({
    ...{ id, title: id, requirements: [id], lane: "wire" as const },
    ...(id === mayHang && { mayHang: true as const }),
  }));
  const outcomeOf = async (check: CheckHead, companion: Companion): Promise<Outcome> => {
    companion.used.push(check.id);
    const { isUnanswered = false, isUnconnected = false, clis = 1, ...result } = run(check, companion);
    const head = {
      check: check.id,
      title: check.id,
      group: "one",
      level: "MUST",
      requirements: [check.id],
    } as const;
    return {
      result: { ...head, status: "passed", evidence: [], milliseconds: 0, ...result },
      isUnanswered,
      isUnconnected,
      clis,
    };
  };
  const shared: Companion = { used: [], isShared: true };
  const isolate = async () => ({ subject: { used: [], isShared: false }, close: async () => {} });
  const [handshake, severalClis] = checks;
  if (!handshake || !severalClis) throw new Error("they are the first two");
  const subject = canStart ? { ...shared, isolate } : shared;
  const results = await runLanes(checks, { rules, subject, run: outcomeOf, handshake, severalClis });
  return Object.fromEntries(
    results.map(({ check, status, message = "" }) => [check, `${status} ${message}`.trim()]),
  );
}

test("a companion whose closeAllDiffTabs takes the diffs of other CLIs away breaks that rule, and no other", async () => {
  const results = await runOn(({ id }, { used, isShared }) => {
    if (id === "close-all") return { status: "failed", message: "CLOSED_3" };
    return id === "own-diff" && isShared && used.length > 1
      ? { status: "failed", message: "its diff is gone" }
      : {};
  });
  expect(results).toMatchObject({ "close-all": "failed CLOSED_3", "own-diff": "passed", last: "passed" });
});

test("a companion that hangs and cannot be started again breaks the rule of the check that caused it", async () => {
  let hangs = false;
  const results = await runOn(
    ({ id }) => {
      hangs ||= id === "close-all";
      return hangs ? { status: "failed", message: "no answer", isUnanswered: true } : {};
    },
    { canStart: false },
  );
  const message = "not-run the companion answers nothing any more since close-all";
  expect(results).toEqual({
    handshake: "passed",
    "several-clis": "passed",
    "close-all": "failed no answer",
    "own-diff": message,
    last: message,
  });
});

test("a check that may make a companion hang runs after the others, where no other companion can be started", async () => {
  let hangs = false;
  const results = await runOn(
    ({ id }) => {
      hangs ||= id === "close-all";
      return hangs ? { status: "failed", message: "no answer", isUnanswered: true } : {};
    },
    { canStart: false, mayHang: "close-all" },
  );
  expect(results).toMatchObject({ "close-all": "failed no answer", "own-diff": "passed", last: "passed" });
});

test("a check that makes its companion hang does not keep the others from running on other companions", async () => {
  const hung = new Set<Companion["used"]>();
  const results = await runOn(({ id }, { used }) => {
    if (id === "close-all") hung.add(used);
    return hung.has(used) ? { status: "failed", message: "no answer", isUnanswered: true } : {};
  });
  expect(results).toMatchObject({ "close-all": "failed no answer", "own-diff": "passed", last: "passed" });
});

test("where no CLI can connect, the handshake fails alone", async () => {
  const results = await runOn(() => ({ status: "failed", message: "initialize: 500", isUnconnected: true }));
  expect(results).toMatchObject({
    handshake: "failed initialize: 500",
    last: "not-run no CLI can connect: see handshake",
  });
});
