import { LanguageDescription, type LanguageSupport } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { Compartment } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

/**
 * Highlighting by a language that is loaded after the editor is shown.
 * @param fileName determines the language, which is used immediately if it is loaded
 */
export function createSyntax(fileName: string) {
  const compartment = new Compartment();
  return {
    extension: compartment.of(findLanguage(fileName)?.support ?? []),
    /** Starts highlighting. It never throws: without the language the text is plain. */
    load: async (views: readonly EditorView[]) => {
      if (findLanguage(fileName)?.support) return;
      const support = await loadLanguage(fileName);
      if (support) for (const view of views) view.dispatch({ effects: compartment.reconfigure(support) });
    },
  };
}

/** @returns undefined when there is no language for the file, or when it cannot be loaded */
export async function loadLanguage(fileName: string): Promise<LanguageSupport | undefined> {
  try {
    return await findLanguage(fileName)?.load();
  } catch {
    return undefined; // the companion may have ended
  }
}

/** The language for a file name; undefined for plain text. */
export function findLanguage(fileName: string): LanguageDescription | undefined {
  return (
    LanguageDescription.matchFilename(own, fileName) ??
    LanguageDescription.matchFilename(languages, fileName) ??
    undefined
  );
}

/** Additional file names of languages, and similar languages for files that have none. */
const own: readonly LanguageDescription[] = [
  // The JSON grammar reports comments as errors.
  like("JavaScript", "JSON with comments", {
    extensions: ["jsonc", "json5", "code-workspace"],
    filename: /^(?:[tj]sconfig.*\.json|devcontainer\.json|\.(?:babel|eslint|jshint|swc)rc(?:\.json)?)$/,
  }),
  like("JSON", "JSON", {
    extensions: ["webmanifest", "geojson"],
    filename: /^\.(?:prettierrc|stylelintrc)$/,
  }),
  like("Shell", "Shell", {
    extensions: ["zsh", "bats"],
    filename:
      /^\.?(?:bash_?(?:rc|_profile|_aliases|_login|_logout|profile)|zsh(?:rc|env)|zprofile|profile|envrc|xinitrc)$/,
  }),
  like("Properties files", "Settings", {
    extensions: ["env", "conf", "cfg", "service", "desktop"],
    filename: /^(?:\.env(?:\..+)?|\.(?:npmrc|editorconfig|gitconfig|gitmodules|yarnrc|pylintrc))$/,
  }),
  like("Markdown", "MDX", { extensions: ["mdx"] }),
  // Its syntax is similar to Markdown.
  like("Markdown", "reStructuredText", { extensions: ["rst"] }),
  like("HTML", "Svelte", { extensions: ["svelte"] }),
  like("HTML", "Astro", { extensions: ["astro"] }),
  like("Dockerfile", "Dockerfile", { filename: /^(?:Containerfile|(?:Dockerfile|Containerfile)\..+)$/ }),
  like("Go", "Go module", { filename: /^go\.(?:mod|work)$/ }),
  // Similar enough for comments, strings, numbers and most keywords.
  like("Crystal", "Elixir", { extensions: ["ex", "exs", "heex"] }),
  like("Shell", "fish", { extensions: ["fish"] }),
  like("Crystal", "GraphQL", { extensions: ["graphql", "gql", "graphqls"] }),
  like("Shell", "Ignored files", { filename: /^\.\w+ignore$|^CODEOWNERS$|^\.gitattributes$/ }),
  like("Shell", "Makefile", {
    extensions: ["mk", "mak"],
    filename: /^(?:GNU)?[Mm]akefile$|^\.?[Jj]ustfile$/,
  }),
  like("Crystal", "Nix", { extensions: ["nix"] }),
  like("Kotlin", "Prisma", { extensions: ["prisma"] }),
  like("C#", "Solidity", { extensions: ["sol"] }),
  like("Crystal", "Terraform", { extensions: ["tf", "tfvars", "hcl", "tofu"] }),
  like("D", "Zig", { extensions: ["zig", "zon"] }),
];

interface Files {
  readonly extensions?: readonly string[];
  readonly filename?: RegExp;
}

function like(model: string, name: string, files: Files): LanguageDescription {
  const load = async () => {
    const found = LanguageDescription.matchLanguageName(languages, model);
    if (!found) throw new Error(`there is no language called ${model}`);
    return found.load();
  };
  return LanguageDescription.of({ name, ...files, load });
}
