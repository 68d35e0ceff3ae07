import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { send } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { demand, startCompanion } from "./companion-process.ts";
import { type Fault, needsLinux } from "./fault.ts";
import { startReview } from "./page.ts";

/** Debian's `faketime` replaces the system clock for a program. */
const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const day = 86_400;

const Health = z.object({ sessions: z.array(z.object({ id: z.string(), connectedAt: z.number() })) });

export const clockFaults: readonly Fault[] = [
  {
    sentence: "a clock that jumps a year on and ten years back loses no session, no diff and no link",
    obstacle: () => needsLinux() ?? (existsSync(library) ? undefined : "needs faketime, a Debian package"),
    async run(fixture) {
      const clock = join(fixture.sandbox.folder, "clock");
      const jump = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? "" : "+"}${seconds}\n`);
      jump(0);
      const env = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        // Setting the clock changes the time of day, not the monotonic clock.
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
      const { companion, page, cli, stream } = await startReview(fixture, { env });
      const [, another = ""] = await companion.says(/(http:\S+open\S+)/);
      demand(another === companion.link, "one link is printed");

      for (const [jumped, seconds] of [365 * day, -3650 * day, 0].entries()) {
        const filePath = join(fixture.sandbox.workspace, `jump-${jumped}.txt`);
        await cli.call("openDiff", { filePath, newContent: "before\n" });
        const id = await page.proposal(filePath);
        jump(seconds);
        const late = await companion.client().initialize();
        const { body } = await send(companion.port, {
          method: "GET",
          path: "/health",
          headers: late.headers,
        });
        const { sessions } = Health.parse(JSON.parse(body));
        const since = sessions.find((session) => session.id === late.sessionId)?.connectedAt ?? 0;
        demand(Math.abs(since / 1000 - Date.now() / 1000 - seconds) < day, `the clock has jumped: ${since}`);
        page.say({ type: "accept", id, revision: 0, text: `decided after ${seconds}\n` });
        const outcome = await stream.next(
          ({ method, params }) => method === "ide/diffAccepted" && params.filePath === filePath,
          30_000,
        );
        demand(outcome.params.content === `decided after ${seconds}\n`, "the decision arrives");
        page.say({
          type: "context",
          files: [{ path: await existing(filePath), focusedAt: Date.now() + seconds * 1000 }],
          activePath: filePath,
          focused: true,
        });
        const update = await stream.next(
          ({ method, params }) => method === "ide/contextUpdate" && JSON.stringify(params).includes(filePath),
          30_000,
        );
        demand(
          JSON.stringify(update.params).includes('"isActive":true'),
          "the active file is reported as active",
        );
      }
      demand(!stream.isClosed, "the stream stays");
    },
  },
  {
    sentence: "a link is good for ten minutes, not until a clock says so",
    obstacle: () => needsLinux() ?? (existsSync(library) ? undefined : "needs faketime, a Debian package"),
    async run(fixture) {
      const clock = join(fixture.sandbox.folder, "clock");
      writeFileSync(clock, "+0\n");
      const env = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
      const companion = await startCompanion(fixture, { env });
      // As on a machine without a battery clock, which gets the time after its start.
      writeFileSync(clock, `+${20 * 365 * day}\n`);
      const [response] = await once(request(companion.link, { agent: false }).end(), "response");
      response.resume();
      demand(
        response.headers["set-cookie"] !== undefined,
        `the link opens the page, got ${response.statusCode}`,
      );
    },
  },
];

async function existing(filePath: string): Promise<string> {
  writeFileSync(filePath, "");
  return filePath;
}
