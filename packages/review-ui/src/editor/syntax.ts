import type { LanguageSupport } from "@codemirror/language";
import { Compartment, type Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { findLanguage } from "./languages.ts";

/** A place for a language that is loaded after the editor is shown. */
export interface Syntax {
  readonly extension: Extension;
  /**
   * Highlights from now on.
   * @throws never: a language that cannot be loaded leaves the text plain.
   */
  load(views: readonly EditorView[]): Promise<void>;
}

/** @param fileName its language is used at once if it has been loaded before */
export function createSyntax(fileName: string): Syntax {
  const compartment = new Compartment();
  return {
    extension: compartment.of(findLanguage(fileName)?.support ?? []),
    load: async (views) => {
      if (findLanguage(fileName)?.support) return;
      const support = await loadLanguage(fileName);
      if (support) for (const view of views) view.dispatch({ effects: compartment.reconfigure(support) });
    },
  };
}

/** @returns undefined when there is no language for such a file, or it cannot be had: plain text is readable too. */
export async function loadLanguage(fileName: string): Promise<LanguageSupport | undefined> {
  try {
    return await findLanguage(fileName)?.load();
  } catch {
    return undefined; // the companion may be gone
  }
}
