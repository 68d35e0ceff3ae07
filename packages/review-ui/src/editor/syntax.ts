import type { LanguageSupport } from "@codemirror/language";
import { Compartment, type Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { findLanguage } from "./languages.ts";

/** Highlighting by a language that is loaded after the editor is shown. */
export interface Syntax {
  readonly extension: Extension;
  /**
   * Starts highlighting. It never throws: without the language the text is plain.
   */
  load(views: readonly EditorView[]): Promise<void>;
}

/** @param fileName determines the language, which is used immediately if it is loaded */
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

/** @returns undefined when there is no language for the file, or when it cannot be loaded */
export async function loadLanguage(fileName: string): Promise<LanguageSupport | undefined> {
  try {
    return await findLanguage(fileName)?.load();
  } catch {
    return undefined; // the companion may have ended
  }
}
