import { demandNone } from "../../assertions.ts";
import type { Check } from "../check.ts";

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** The statuses of a refusal; the official companion answers 403. */
const refusals = [400, 401, 403, 421];

export const browserRefused: Check = {
  id: "browser-refused",
  title: "a request from a web page is refused, token or not",
  requirements: ["S3"],
  lane: "wire",
  async run({ wire, target }) {
    const session = await wire.greet();
    const origins = ["http://evil.example", "null", "http://localhost", `http://127.0.0.1:${target.port}`];
    const problems: string[] = [];
    for (const origin of origins) {
      const { status } = await wire.send({ headers: { ...session.headers, origin }, body: ping });
      if (!refusals.includes(status)) problems.push(`Origin: ${origin} was answered ${status}`);
    }
    demandNone(problems);
  },
};

export const foreignHost: Check = {
  id: "foreign-host",
  title: "a request for another host is refused",
  requirements: ["S4"],
  lane: "wire",
  async run({ wire, target }) {
    const session = await wire.greet();
    const { port } = target;
    const hosts = [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
    ];
    const problems: string[] = [];
    for (const host of hosts) {
      const { status } = await wire.send({ headers: { ...session.headers, host }, body: ping });
      if (!refusals.includes(status)) problems.push(`Host: ${host} was answered ${status}`);
    }
    demandNone(problems);
  },
};

export const ownHosts: Check = {
  id: "own-hosts",
  title: "localhost and host.docker.internal are accepted as hosts",
  requirements: ["S5"],
  lane: "wire",
  async run({ wire, target }) {
    const session = await wire.greet();
    const problems: string[] = [];
    for (const name of ["127.0.0.1", "localhost", "host.docker.internal"]) {
      const host = `${name}:${target.port}`;
      const { status } = await wire.send({ headers: { ...session.headers, host }, body: ping });
      if (status !== 200) problems.push(`Host: ${host} was answered ${status}`);
    }
    demandNone(problems);
  },
};

export const noCors: Check = {
  id: "no-cors",
  title: "no answer grants a web page access",
  requirements: ["S6"],
  lane: "wire",
  async run({ wire }) {
    const session = await wire.greet();
    const origin = "http://evil.example";
    const preflight = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    const requests = [
      { method: "OPTIONS", headers: preflight },
      { method: "POST", headers: { ...session.headers, origin }, body: ping },
      { method: "POST", headers: session.headers, body: ping },
      { method: "GET", path: "/health", headers: { origin } },
    ];
    const problems: string[] = [];
    for (const request of requests) {
      const { headers } = await wire.send(request);
      const allowed = headers["access-control-allow-origin"];
      if (allowed !== undefined)
        problems.push(`${request.method} was answered Access-Control-Allow-Origin: ${allowed}`);
    }
    demandNone(problems);
  },
};
