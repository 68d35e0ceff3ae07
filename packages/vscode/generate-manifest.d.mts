/** As much of an agent as the manifest shows. */
export interface ManifestAgent {
  readonly name: string;
  readonly displayName: string;
  readonly command: string;
  /** It shows no diffs. */
  readonly contextOnly?: true;
}

/** A parsed package.json. */
export interface Manifest {
  readonly displayName: string;
  readonly keywords: readonly string[];
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly viewsWelcome: readonly { readonly view: string; readonly when?: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default?: unknown; readonly scope?: string }>>;
    };
  };
}

/** @see generate-manifest.mjs */
export function withAgents(manifest: Manifest, agents: readonly ManifestAgent[]): Manifest;

/** @see generate-manifest.mjs */
export function withAgentTexts(
  nls: Readonly<Record<string, string>>,
  language: string,
  agents: readonly ManifestAgent[],
): Readonly<Record<string, string>>;
