import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Fault } from "../../../../testing/contract-tests.ts";
import { goodRules, type Rules } from "../../example/rules.ts";
import { takeAway } from "../../example/tools.ts";

/** Does something before a diff is opened. */
const before = (act: (...call: Parameters<Rules["openDiff"]>) => void): Partial<Rules> => ({
  openDiff: (call, rules) => {
    act(call, rules);
    return goodRules.openDiff(call, rules);
  },
});

const text = (said: string): ReturnType<Rules["openDiff"]> => ({ content: [{ type: "text", text: said }] });

/** By the check that catches it. */
export const diffsFaults: Readonly<Record<string, Fault<Rules>>> = {
  "open-diff-tool": {
    rules: { tools: { ...goodRules.tools, openDiff: { type: "object", properties: {} } } },
    says: /newContent is described as undefined/,
  },
  "close-diff-tool": {
    rules: { tools: { ...goodRules.tools, closeDiff: strictSchema() } },
    says: /it allows no suppressNotification/,
  },
  "open-diff-answer": {
    rules: { openDiff: (call, rules) => ({ ...goodRules.openDiff(call, rules), ...text("opened") }) },
    says: /content: \[\] was expected/,
  },
  "view-opens": {
    // The view is not shown.
    rules: {
      openDiff: (call, rules) => {
        const answer = goodRules.openDiff(call, rules);
        call.editor.diffs.clear();
        return answer;
      },
    },
    says: /the editor shows no diff of it/,
  },
  "impossible-call": {
    rules: { wrongArguments: () => ({ result: { content: [] } }) },
    says: /openDiff with \{\} was answered/,
  },
  "close-diff-text": { rules: { closedText: () => "before\n" }, says: /"before\\n" answered to Gemini CLI/ },
  "closed-edits": { rules: forgetful(), says: /the user has made it "edited\\n"/ },
  "close-diff-json": { rules: { closedText: (closed) => closed }, says: /the user's edits would be lost/ },
  "close-unknown": {
    rules: {
      closeDiff: (call, rules) =>
        call.session.diffs.has(call.filePath) ? goodRules.closeDiff(call, rules) : { content: [] },
    },
    says: /isError and a text were expected/,
  },
  acceptance: { rules: forgetful(), says: /the user has made it "first\\nzwei\\n", "first\\n2nd\\n" came/ },
  rejection: { rules: silentOn("rejected"), says: /no outcome for .* came/ },
  "closed-view": { rules: silentOn("closed"), says: /no outcome for .* came/ },
  "exact-path": {
    rules: {
      outcome: (call, ...rest) =>
        goodRules.outcome({ ...call, filePath: path.normalize(call.filePath) }, ...rest),
    },
    says: /y\/\.\.\/odd\.txt" was sent, ".*exact-path\/odd\.txt" came back/,
  },
  suppressed: {
    rules: { suppresses: false },
    says: /ide\/diffRejected came to Gemini CLI, which had decided already/,
  },
  unsuppressed: { rules: silentOn("rejected"), says: /no outcome for .* came/ },
  once: {
    // The view that closes after an acceptance counts as a rejection.
    rules: {
      outcome: (call, decision, content) => {
        goodRules.outcome(call, decision, content);
        if (decision === "accepted") goodRules.outcome(call, "rejected", content);
      },
    },
    says: /there came ide\/diffAccepted, ide\/diffRejected/,
  },
  "own-session": {
    rules: {
      outcome: (call, ...rest) => {
        for (const session of call.sessions) goodRules.outcome({ ...call, session }, ...rest);
      },
    },
    says: /also came to session 2/,
  },
  "foreign-close": { rules: { owner: anyOwner }, says: /another session, Gemini CLI, has closed the diff/ },
  "same-file": {
    // Diffs are identified by their path alone.
    rules: before(({ sessions, editor, filePath }) => {
      for (const session of sessions) takeAway({ session, editor }, session.diffs.get(filePath));
    }),
    says: /closeDiff/,
  },
  "second-proposal": {
    rules: before((call, rules) => {
      if (call.session.diffs.has(call.filePath)) rules.outcome(call, "rejected", "");
    }),
    says: /the end of the first one was reported as ide\/diffRejected/,
  },
  "stream-down": { rules: { storesOutcomes: false }, says: /no outcome for .* came/ },
  resume: { rules: { resumes: false }, says: /must get the outcome once more, got it 0 times/ },
  "not-written": {
    rules: {
      outcome: (call, decision, content) => {
        if (decision === "accepted") writeFileSync(call.filePath, content);
        goodRules.outcome(call, decision, content);
      },
    },
    says: /no CLI has written it/,
  },
  "exact-closed": { rules: { shownText: withLastNewline }, says: /with a missing last newline/ },
  "exact-accepted": { rules: { shownText: (shown) => shown.replace(/\r\n/g, "\n") }, says: /with CRLF/ },
  "empty-text": { rules: { takesEmptyText: true }, says: /with content "" came/ },
  "killed-cli": { rules: { closesDiffsOfTheDead: false }, says: /is still shown/ },
  "view-closes": {
    rules: { takeAway: ({ session }, diff) => void session.diffs.delete(diff?.filePath ?? "") },
    says: /the editor still shows the diff/,
  },
  "new-file": {
    rules: before(({ filePath }) => void mkdirSync(path.dirname(filePath), { recursive: true })),
    says: /was created, though the user has not accepted/,
  },
  "odd-targets": {
    rules: {
      problemWith: (call) => {
        const problem = goodRules.problemWith(call);
        if (problem?.endsWith("is not a file")) throw new Error("EISDIR");
        return problem;
      },
    },
    says: /was answered 500/,
  },
  "any-file": {
    rules: {
      problemWith: ({ filePath, editor: { folders } }) =>
        folders.some((folder) => filePath.startsWith(folder)) ? undefined : "outside of the open folders",
    },
    says: /a file outside of the open folders was refused/,
  },
  "accept-diff": {
    rules: { writeFile: (file, accepted) => goodRules.writeFile(file, withLastNewline(accepted)) },
    says: /the file holds "first\\r\\nlast\\n"/,
  },
  "reject-diff": {
    rules: {
      rejectDiff: (call, rules) => {
        writeFileSync(call.filePath, call.session.diffs.get(call.filePath)?.text ?? "");
        return goodRules.rejectDiff(call, rules);
      },
    },
    says: /the file holds "proposed\\n"/,
  },
  "foreign-accept": {
    rules: { owner: anyOwner },
    says: /another session has decided the diff by acceptDiff/,
  },
};

function strictSchema(): object {
  const properties = { filePath: { type: "string" } };
  return { type: "object", properties, required: ["filePath"], additionalProperties: false };
}

/** Reports the proposed text, whatever the user made of it. */
function forgetful(): Partial<Rules> {
  let proposed = "";
  return {
    ...before(({ newContent }) => {
      proposed = newContent;
    }),
    closedText: () => proposed,
    outcome: (call, decision) => goodRules.outcome(call, decision, proposed),
  };
}

/** Reports no decision of this kind. */
function silentOn(silent: string): Partial<Rules> {
  return {
    outcome: (call, decision, content) => {
      if (decision !== silent) goodRules.outcome(call, decision, content);
    },
  };
}

function anyOwner({
  session,
  sessions,
  filePath,
}: Parameters<Rules["owner"]>[0]): ReturnType<Rules["owner"]> {
  return sessions.find(({ diffs }) => diffs.has(filePath)) ?? session;
}

function withLastNewline(shown: string): string {
  return shown.endsWith("\n") ? shown : `${shown}\n`;
}
