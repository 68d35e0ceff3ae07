import type { Agent } from "ide-companion";

/** As much of an agent as the manifest shows. */
export type ManifestAgent = Pick<Agent, "name" | "displayName" | "command" | "contextOnly">;

/** @param manifest a parsed package.json @see generate-manifest.mjs */
export function withAgents<Manifest>(manifest: Manifest, agents: readonly ManifestAgent[]): Manifest;

/** @see generate-manifest.mjs */
export function withAgentTexts(
  nls: Readonly<Record<string, string>>,
  language: string,
  agents: readonly ManifestAgent[],
): Readonly<Record<string, string>>;
