import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Call, startFirefox } from "./firefox.ts";
import { boxOfText } from "./review-page.ts";

/** Keys that type no character, as WebDriver has them. */
const keys: Readonly<Record<string, string>> = {
  Backspace: "\uE003",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  End: "\uE010",
};

/** Opens a link in a separate Firefox. The page is used by keys and by what a screen reader finds there. */
export async function openInFirefox(sandbox: Sandbox, link: string) {
  const call = await startFirefox(sandbox);
  const context = await contextOf(call);
  const page = createFirefoxPage(call, context);
  sandbox.own({ describe: async () => `--- Firefox\n${await page.text()}`, close: async () => {} });
  // Without the focus of its window no key presses a button.
  await call("browsingContext.activate", { context });
  await call("browsingContext.setViewport", { context, viewport: { width: 1440, height: 900 } });
  await call("browsingContext.navigate", { context, url: link, wait: "complete" });
  return page;
}

function createFirefoxPage(call: Call, context: string) {
  const act = (type: "key" | "pointer", actions: readonly object[]) =>
    call("input.performActions", { context, actions: [{ type, id: type, actions }] });
  const text = async () => String(await run(call, context, () => document.body.innerText));
  const find = (role: string, name: string) =>
    poll(
      `${role} "${name}"`,
      async () => {
        const locator = { type: "accessibility", value: { role, name } };
        const found = await call<{ nodes: object[] }>("browsingContext.locateNodes", { context, locator });
        return found.nodes[0];
      },
      { describe: text },
    );
  return {
    text,
    /** Waits for an element. @param name the whole of it */
    find,
    /** Waits until a text is to be read. */
    says: (wanted: string) =>
      poll(`"${wanted}"`, async () => (await text()).includes(wanted), { describe: text }),
    /** @param chords as in `Control+Shift+Backspace`, one after the other */
    async press(...chords: readonly string[]) {
      for (const chord of chords) {
        const values = chord.split("+").map((key) => keys[key] ?? key);
        const down = values.map((value) => ({ type: "keyDown", value }));
        const up = values.toReversed().map((value) => ({ type: "keyUp", value }));
        await act("key", [...down, ...up]);
      }
    },
    type: (typed: string) =>
      act(
        "key",
        [...typed].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
      ),
    /** Selects a text of an element, with the mouse. */
    async select(role: string, name: string, wanted: string) {
      const box = await run(call, context, boxOfText, await find(role, name), value(wanted));
      const { x, y, width, height } = box as ReturnType<typeof boxOfText>;
      const move = (to: number) => ({ type: "pointerMove", x: to, y: y + height / 2 });
      const button = (type: "pointerDown" | "pointerUp") => ({ type, button: 0 });
      const drag = [button("pointerDown"), move(x + width / 2), move(x + width), button("pointerUp")];
      await act("pointer", [move(x), ...drag]);
    },
    /** Writes as with an input method: the first text, which the second one replaces. */
    async compose(...texts: readonly [string, string]) {
      await run(call, await contextOf(call, { "moz:scope": "chrome" }), composeInWindow, ...texts.map(value));
    },
    reload: () => call("browsingContext.reload", { context, wait: "complete" }),
  };
}

const value = (text: string) => ({ type: "string", value: text });

async function contextOf(call: Call, scope: object = {}): Promise<string> {
  const { contexts } = await call<{ contexts: { context: string }[] }>("browsingContext.getTree", scope);
  return contexts[0]?.context ?? "";
}

/** Runs a function there. @returns what it returns */
async function run(call: Call, context: string, code: unknown, ...args: readonly object[]): Promise<unknown> {
  const functionDeclaration = `async (...all) => JSON.stringify(await (${code})(...all))`;
  const params = { functionDeclaration, arguments: args, target: { context }, awaitPromise: true };
  const { result, exceptionDetails } = await call<{
    result?: { value?: string };
    exceptionDetails?: { text: string };
  }>("script.callFunction", params);
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result?.value === undefined ? undefined : JSON.parse(result.value);
}

/** Runs in the browser's window. */
async function composeInWindow(first: string, second: string) {
  // @ts-expect-error: what a browser's window has beyond a page's
  const { Cc, Ci, gBrowser } = globalThis;
  gBrowser.selectedBrowser.focus();
  const method = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
  method.beginInputTransactionForTests(window);
  method.setPendingCompositionString(first);
  method.appendClauseToPendingComposition(first.length, method.ATTR_RAW_CLAUSE);
  method.setCaretInPendingComposition(first.length);
  method.flushPendingComposition();
  method.commitCompositionWith(second);
}
