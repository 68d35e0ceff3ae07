import { toUnset } from "./environment.ts";
import type { Environment, SettingsCheck } from "./family-cli.ts";
import type { Setting } from "./settings-files.ts";

export interface SandboxQuestion {
  /** The environment variable that comes before the setting. */
  readonly variable: string;
  /** `tools.sandbox`: a switch, the name of a sandbox, or an object with both. */
  readonly setting: Setting | undefined;
  readonly environment: Environment;
}

/**
 * Whether the CLI runs in a sandbox that it makes, from which it does not reach the companion: in a container
 * 127.0.0.1 is another machine. Only macOS' own sandbox leaves the network as it is.
 */
export function describeSandbox({ variable, setting, environment }: SandboxQuestion): SettingsCheck {
  const { env } = environment.host;
  const check = { id: "sandbox", title: "Sandbox" } as const;
  if (env.SANDBOX) return { ...check, evidence: [`SANDBOX is set: it makes none itself`] };
  const byEnv = env[variable]?.toLowerCase().trim();
  const value = byEnv || toSandboxName(setting?.value);
  if (isOff(value)) return { ...check, evidence: ["off"] };
  const own = value === "sandbox-exec" || (environment.platform === "darwin" && isOn(value));
  const source = byEnv
    ? `${variable}=${byEnv}`
    : `tools.sandbox is ${JSON.stringify(setting?.value)} in ${setting?.path}`;
  if (own)
    return { ...check, evidence: [`${source}: the network stays as it is, unless its profile closes it`] };
  return {
    ...check,
    evidence: [source],
    remedy: byEnv
      ? toUnset(variable, environment.envSources)
      : `Set "tools": { "sandbox": false } in ${setting?.path}.`,
  };
}

function toSandboxName(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const { enabled, command }: { enabled?: unknown; command?: unknown } = value;
  return enabled ? String(command ?? true) : "";
}

const isOff = (value: string) => ["", "0", "false"].includes(value);
const isOn = (value: string) => ["1", "true"].includes(value);
