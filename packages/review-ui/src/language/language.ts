import type portuguese from "./pt-br.json";

/** A sentence of the page in English, which is its key in the catalogs of the other languages. */
export type Sentence = keyof typeof portuguese;

/** The languages of the page, as they call themselves. */
export const languages = {
  en: "English",
  "zh-cn": "简体中文",
  "zh-tw": "繁體中文",
  "pt-br": "Português (Brasil)",
} as const;

export type Language = keyof typeof languages;

type Catalog = Readonly<Record<Sentence, string>>;

/** Translates a sentence to the language of the page, with values for `$1`, `$2` … */
export type Translate = (sentence: Sentence, ...values: readonly (string | number)[]) => string;

/** How the page translates. */
export interface Wording {
  readonly language: Language;
  readonly t: Translate;
  /** Translates a sentence of the companion. One that this page does not know stays in English. */
  translate(sentence: string, ...values: readonly (string | number)[]): string;
  /** Translates a sentence of the companion that may contain the name of an agent, if that is known. */
  translateFor(agent: string | undefined, sentence: string): string;
  /** The translations by English sentence, for CodeMirror; undefined in English. */
  readonly catalog: Catalog | undefined;
}

const loaders = {
  "zh-cn": () => import("./zh-cn.json", { with: { type: "json" } }),
  "zh-tw": () => import("./zh-tw.json", { with: { type: "json" } }),
  "pt-br": () => import("./pt-br.json", { with: { type: "json" } }),
};

export async function loadWording(language: Language): Promise<Wording> {
  return createWording(language, language === "en" ? undefined : (await loaders[language]()).default);
}

export function createWording(language: Language = "en", catalog?: Catalog): Wording {
  const known = new Map<string, string>(catalog && Object.entries(catalog));
  const translate: Wording["translate"] = (sentence, ...values) =>
    fillIn(known.get(sentence) ?? sentence, values);
  const translateFor: Wording["translateFor"] = (agent, sentence) =>
    known.size === 0 || !agent ? translate(sentence) : translate(sentence.replaceAll(agent, "$1"), agent);
  return { language, t: translate, translate, translateFor, catalog };
}

/**
 * @param chosen the user's earlier choice
 * @param wanted the browser's languages, best first
 */
export function chooseLanguage(chosen: unknown, wanted: readonly string[]): Language {
  const known = languageNames.find((name) => name === chosen);
  return known ?? wanted.map(languageOf).find((language) => language !== undefined) ?? "en";
}

export const languageNames: readonly Language[] = ["en", "zh-cn", "zh-tw", "pt-br"];

function languageOf(tag: string): Language | undefined {
  if (/^en\b/i.test(tag)) return "en";
  if (/^pt\b/i.test(tag)) return "pt-br";
  if (/^zh\b.*\b(?:hant|tw|hk|mo)\b/i.test(tag)) return "zh-tw";
  return /^zh\b/i.test(tag) ? "zh-cn" : undefined;
}

function fillIn(sentence: string, values: readonly (string | number)[]): string {
  return sentence.replace(/\$(\d)/g, (parameter, number) => String(values[Number(number) - 1] ?? parameter));
}
