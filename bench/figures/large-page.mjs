import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { wallClock, withPages } from "../page.mjs";
import { interleave, pause } from "../rounds.mjs";
import { WireClient } from "../wire.mjs";

const lines = Array.from(
  { length: 180_000 },
  (_, index) => `const value${index} = ${index * 7919}; // the ${index}th line\n`,
);
const before = lines.join("");
const after = lines.map((line, index) => (index % 40_000 === 7 ? line.replace("=", "= 1 +") : line)).join("");

const proposals = { "a changed file": before, "a new file": "" };

/** Milliseconds after the diff is there in which the page may still have a long task. */
const aftermath = 1500;

/**
 * A proposal of some megabytes in a real browser. The floor is a bare page that reads both texts as JSON and draws the
 * top of one.
 * @param {import("./index.mjs").Bench} bench
 */
export function largePage(bench) {
  return withPages(bench, async (server, openPage) => {
    const floor = await openFloor(openPage);
    const ours = await openOurs(await openPage(await server.link), server, bench.sandbox.workspace);
    const rows = [];
    for (const [title, original] of Object.entries(proposals)) {
      const round = (subject) => subject.show(original);
      const results = await interleave([floor, ours], bench.rounds, round, { warm: true });
      const size = `${(after.length / 1e6).toFixed(0)} MB of ${title} in the page`;
      const row = (what, name, limits) => ({
        title: `${size}: ${what}`,
        samples: results.in({ floor, ours }, name),
        ...limits,
      });
      rows.push(
        row("until its top can be read", "read", { judged: "ratio" }),
        row("until it is compared and can be edited", "usable", { must: 1000 }),
        row("longest task of the page", "longest", { must: 200 }),
      );
    }
    await floor.close();
    return rows;
  });
}

/** Our page, and an agent that proposes. */
async function openOurs(page, server, workspace) {
  const client = new WireClient(server);
  await client.connect();
  const filePath = join(workspace, "large.ts");
  const { open, close } = client.diff(filePath, after);

  async function show(original) {
    if (original === "") await rm(filePath, { force: true });
    else await writeFile(filePath, original);
    await pause(aftermath); // what the last round has left to do
    await page.evaluate(() => window.forgetTasks());
    const top = page.evaluate(() => window.drawn(".text-top, .diff .cm-line"));
    const editor = page.evaluate(() => window.drawn(".diff .cm-line"));
    const start = wallClock();
    await client.call(open);
    const [read, usable] = [(await top) - start, (await editor) - start];
    await pause(aftermath);
    const longest = await page.evaluate(() => window.longestTask());
    await client.call(close);
    await page.waitForFunction(() => document.querySelector(".diff") === null);
    return { read, usable, longest };
  }

  return { show };
}

async function openFloor(openPage) {
  let texts = "{}";
  const http = createServer(({ url }, response) => {
    const [type, body] =
      url === "/" ? ["text/html", "<!doctype html><pre></pre>"] : ["application/json", texts];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const page = await openPage(`http://127.0.0.1:${http.address().port}/`);

  async function show(original) {
    texts = JSON.stringify({ original, proposed: after });
    const start = wallClock();
    const read = await page.evaluate(async () => {
      window.forgetTasks();
      const { proposed } = await (await fetch("/texts")).json();
      document.querySelector("pre").textContent = proposed.split("\n", 100).join("\n");
      return window.drawn("pre");
    });
    await pause(aftermath);
    const longest = await page.evaluate(() => window.longestTask());
    return { read: read - start, usable: read - start, longest };
  }

  return {
    show,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}
