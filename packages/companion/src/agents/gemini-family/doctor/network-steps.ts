import { canConnect } from "../../../transport/can-connect.ts";
import type { Step } from "../../doctor/step.ts";
import type { Observation } from "./observation.ts";
import { failed, note, ok } from "./steps.ts";

const here = "127.0.0.1";

/** In a container a CLI may look for its IDE outside, and find nothing there. */
export async function examineContainer({ agent, discovered, environment }: Observation): Promise<Step> {
  const { hosts, endpoints } = discovered;
  if (!environment.inContainer) return ok("container", "this is none");
  if (hosts.includes(here))
    return ok("container", `this is one, and the CLI looks on ${hosts.join(", then ")}`);
  const evidence = `this is one, and the CLI looks on ${hosts.join(", ")} only`;
  const port = endpoints.find((endpoint) => endpoint.kind === "http")?.port;
  if (port === undefined) return note("container", evidence);
  for (const host of hosts) {
    if (await canConnect(host, port)) return ok("container", evidence, `port ${port} answers there`);
  }
  if (!(await canConnect(here, port))) return note("container", evidence);
  const found = `port ${port} answers on ${here}, and not there`;
  const remedy = `Let it look inside the container: ide-companion run ${agent.name}`;
  return failed("container", [evidence, found], remedy);
}

const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/** Present versions of both CLIs go to their IDE around all proxies; older ones did not. */
export function examineProxy({ host, cli }: Observation): Step {
  const set = proxyVariables.filter((name) => host.env[name]);
  if (set.length === 0) return ok("proxy", "none is set");
  const exceptions = `${host.env.NO_PROXY ?? ""},${host.env.no_proxy ?? ""}`;
  if (exceptions.includes(here)) return ok("proxy", `${set.join(", ")}, with an exception for ${here}`);
  return note(
    "proxy",
    `${set.join(", ")} without an exception for ${here}`,
    `version ${cli.knownVersion} goes around it; for an older one, set NO_PROXY=${here}`,
  );
}
