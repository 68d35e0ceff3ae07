import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import type { FrontendMessage, PageMessage } from "../../packages/companion/src/frontends/review/protocol.ts";
import { startCompanion, until } from "./companion-process.ts";
import type { Fixture } from "./fault.ts";

/** The review page without a browser: it decides on command. */
export interface Page {
  readonly received: readonly FrontendMessage[];
  say(message: PageMessage): void;
  /** The id of the proposal that waits for a decision. */
  find(filePath: string): string | undefined;
  /** What the page reads: `GET` of a path below the frontend. */
  read(path: string): Promise<Record<string, unknown>>;
  /** Waits for a proposal. @returns its id */
  proposal(filePath: string): Promise<string>;
}

/** @param link opens once */
export async function openPage({ undo }: Fixture, link: string): Promise<Page> {
  const [response] = await once(request(link, { agent: false }).end(), "response");
  response.resume();
  const cookie = String(response.headers["set-cookie"]).split(";")[0] ?? "";
  const { origin, host } = new URL(link);
  const socket = new WebSocket(`ws://${host}/socket`, { headers: { cookie }, origin });
  const received: FrontendMessage[] = [];
  socket.on("message", (data) => received.push(JSON.parse(data.toString())));
  undo(() => socket.terminate());
  await once(socket, "open");
  const find = (filePath: string) => {
    const last = received.findLast((message) => message.type === "proposals");
    return last?.proposals.find((proposal) => proposal.filePath === filePath)?.id;
  };
  return {
    received,
    say: (message) => socket.send(JSON.stringify(message)),
    find,
    async read(path) {
      const headers = {
        cookie,
        "sec-fetch-site": "same-origin",
        "sec-fetch-mode": "cors",
        "sec-fetch-dest": "empty",
      };
      const [answer] = await once(request(`${origin}/${path}`, { agent: false, headers }).end(), "response");
      return JSON.parse(await text(answer));
    },
    proposal: (filePath) => until(`proposal for ${filePath}`, () => find(filePath)),
  };
}

/** A companion, its page, and a CLI that listens. @param options as those of `startCompanion` */
export async function startReview(fixture: Fixture, options?: Parameters<typeof startCompanion>[1]) {
  const companion = await startCompanion(fixture, options);
  const page = await openPage(fixture, companion.link);
  const cli = await companion.client().initialize();
  const stream = await cli.openStream();
  return { companion, page, cli, stream };
}
