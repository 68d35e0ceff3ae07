import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { readHealth } from "../harness/health.ts";
import { startCompanion } from "./companion.ts";
import { demand, fault, needsLinux } from "./fixture.ts";
import { startReview } from "./page.ts";

/** Debian's `faketime` replaces the system clock for a program. */
const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const needsFaketime = needsLinux ?? (existsSync(library) ? undefined : "needs faketime, a Debian package");
const day = 86_400;

/** Variables of a process whose time of day is off by the seconds in a file. */
const clockIn = (file: string) => ({
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: "1",
  // Setting the clock changes the time of day, not the monotonic clock.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});

fault(
  "a clock that jumps a year on and ten years back loses no session, no diff and no link",
  async (sandbox) => {
    const clock = join(sandbox.folder, "clock");
    const jump = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    jump(0);
    const env = clockIn(clock);
    const { companion, page, cli, stream } = await startReview(sandbox, { env });
    const [, another = ""] = await companion.says(/(http:\S+open\S+)/);
    demand(another === companion.link, "one link is printed");

    for (const [jumped, seconds] of [365 * day, -3650 * day, 0].entries()) {
      const filePath = join(sandbox.workspace, `jump-${jumped}.txt`);
      await cli.call("openDiff", { filePath, newContent: "before\n" });
      const id = await page.proposal(filePath);
      jump(seconds);
      const late = await companion.client().initialize();
      const { sessions } = await readHealth(companion.port, late.headers);
      const since = sessions.find((session) => session.id === late.sessionId)?.connectedAt ?? 0;
      demand(Math.abs(since / 1000 - Date.now() / 1000 - seconds) < day, `the clock has jumped: ${since}`);
      page.say({ type: "diffAccepted", id, revision: 0, content: `decided after ${seconds}\n` });
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
  needsFaketime,
);

fault(
  "a link is good for ten minutes, not until a clock says so",
  async (sandbox) => {
    const clock = join(sandbox.folder, "clock");
    writeFileSync(clock, "+0\n");
    const companion = await startCompanion(sandbox, { env: clockIn(clock) });
    // As on a machine without a battery clock, which gets the time after its start.
    writeFileSync(clock, `+${20 * 365 * day}\n`);
    const [response] = await once(request(companion.link, { agent: false }).end(), "response");
    response.resume();
    demand(
      response.headers["set-cookie"] !== undefined,
      `the link opens the page, got ${response.statusCode}`,
    );
  },
  needsFaketime,
);

async function existing(filePath: string): Promise<string> {
  writeFileSync(filePath, "");
  return filePath;
}
