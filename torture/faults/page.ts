import type { FrontendMessage, PageMessage } from "../../packages/companion/src/frontends/review/protocol.ts";
import { openPageSocket } from "../../packages/testkit/src/page-client.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { startCompanion } from "./companion.ts";

/** The review page without a browser: it decides on command. @param link opens once */
export async function openPage({ undo }: Pick<Sandbox, "undo">, link: string) {
  const received: FrontendMessage[] = [];
  const socket = await openPageSocket(link, (text) => received.push(JSON.parse(text)));
  undo(() => socket.terminate());
  const find = (filePath: string) => {
    const last = received.findLast((message) => message.type === "proposals");
    return last?.proposals.find((proposal) => proposal.filePath === filePath)?.id;
  };
  return {
    received,
    say: (message: PageMessage) => socket.send(JSON.stringify(message)),
    /** The id of the proposal that waits for a decision. */
    find,
    /** Waits for a proposal. @returns its id */
    proposal: (filePath: string) => poll(`proposal for ${filePath}`, () => find(filePath)),
  };
}

/** A companion, its page, and a CLI that listens. @param options as those of `startCompanion` */
export async function startReview(sandbox: Sandbox, options?: Parameters<typeof startCompanion>[1]) {
  const companion = await startCompanion(sandbox, options);
  const page = await openPage(sandbox, companion.link);
  const cli = await companion.client().initialize();
  const stream = await cli.openStream();
  return { companion, page, cli, stream };
}
