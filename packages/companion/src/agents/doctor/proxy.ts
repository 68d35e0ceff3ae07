import type { Host } from "../../system/host.ts";
import type { CliPackage } from "./program.ts";
import { createSteps, type Step } from "./step.ts";

const here = "127.0.0.1";
const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

const { ok, note } = createSteps({ proxy: "Proxy" });

/** Present versions of all CLIs go to their IDE around all proxies; older ones did not. */
export function examineProxy({ env }: Host, { knownVersion }: CliPackage): Step {
  const set = proxyVariables.filter((name) => env[name]);
  if (set.length === 0) return ok("proxy", "none is set");
  const exceptions = `${env.NO_PROXY ?? ""},${env.no_proxy ?? ""}`;
  if (exceptions.includes(here)) return ok("proxy", `${set.join(", ")}, with an exception for ${here}`);
  return note(
    "proxy",
    `${set.join(", ")} without an exception for ${here}`,
    `version ${knownVersion} goes around it; for an older one, set NO_PROXY=${here}`,
  );
}
