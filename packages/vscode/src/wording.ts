import { inEnglish, type Say } from "ide-companion/editor-kit";
import { l10n } from "vscode";

/** A sentence of the companion in the user's language. */
export const say: Say = (sentence, ...values) => inEnglish(l10n.t(sentence), ...values);
