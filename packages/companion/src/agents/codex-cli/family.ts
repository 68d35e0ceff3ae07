import type { AgentFamily, Core } from "../family.ts";
import { codex } from "./codex.ts";
import { concernOf, toIdeContext } from "./ide-context.ts";
import { ownId } from "./messages.ts";
import type { Answerer } from "./router.ts";
import { takeSeat, toPlace } from "./seat.ts";
import { codexSockets } from "./sockets.ts";

/**
 * Codex CLI: it asks for the context before each message, on one socket that all companions of a user share. There are
 * no diffs, and no connection that stays.
 * @see docs/reference/codex-cli.md
 */
export const codexFamily: AgentFamily = {
  agents: [codex],

  async serve(_, core, host) {
    const { context, events } = core;
    const { current, former } = codexSockets(host);
    const answerer = answerFrom(core);
    const troubles: string[] = [];
    const explain = (trouble?: string) => `${codex.displayName} cannot ask this companion: ${trouble}`;
    let onTrouble = (trouble: string) => {
      troubles.push(trouble);
    };
    const seats = await Promise.all([
      takeSeat(toPlace(current), answerer, (trouble) => onTrouble(trouble)),
      // Of older versions doctor speaks.
      ...(former === current ? [] : [takeSeat(toPlace(former), answerer, () => {})]),
    ]);
    if (seats.every(({ role }) => role === "none")) {
      await Promise.all(seats.map((seat) => seat.close()));
      throw new Error(explain(troubles[0]));
    }
    onTrouble = (trouble) => events.emit({ kind: "warning", message: explain(trouble) });
    for (const trouble of troubles) onTrouble(trouble);
    // While somebody subscribes, files that are deleted leave the context.
    const stop = context.subscribe(() => {});
    return {
      env: {},
      // Each question is compared with the folders that are open then.
      discovery: [],
      removeMore() {
        for (const seat of seats) seat.removeFile();
      },
      async close() {
        stop();
        await Promise.all(seats.map((seat) => seat.close()));
      },
    };
  },
};

function answerFrom({ context, roots, sessions }: Core): Answerer {
  return {
    concern: (request) => concernOf(request, roots()),
    answer({ params, sourceClientId }) {
      if (sourceClientId !== ownId) sessions.noteRequest(codex.displayName, context.current);
      return { ideContext: toIdeContext(context.current, String(params.workspaceRoot)) };
    },
  };
}
