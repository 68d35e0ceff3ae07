/** As much of an agent as the manifest shows. */
export interface ManifestAgent {
  readonly name: string;
  readonly displayName: string;
  readonly command: string;
  /** It shows no diffs. */
  readonly contextOnly?: true;
}

/** @param manifest a parsed package.json @see generate-manifest.mjs */
export function withAgents<Manifest>(manifest: Manifest, agents: readonly ManifestAgent[]): Manifest;

/** @see generate-manifest.mjs */
export function withAgentTexts(
  nls: Readonly<Record<string, string>>,
  language: string,
  agents: readonly ManifestAgent[],
): Readonly<Record<string, string>>;
