import type { EditorWithSign, Variables } from "./editor-record.ts";

export const jetbrains: EditorWithSign = {
  name: "jetbrains",
  displayName: "JetBrains IDE",
  sign,
  // LSP4IJ. Its name is `IntelliJ` in older versions whichever IDE it is.
  lsp: { names: [], findProduct: findProductInVersion, offersChoices: true },
  page: "other-editors.md#jetbrains-ides",
};

/** The terminals of all products call themselves alike. */
function sign(env: Variables): string | undefined {
  const value = env.TERMINAL_EMULATOR;
  return value?.toLowerCase().includes("jetbrains") ? `TERMINAL_EMULATOR=${value}` : undefined;
}

/**
 * The version that LSP4IJ tells is `GoLand (build GO-241.18034.61)`. It has shown buttons in balloons since May 2024, and
 * says so since October 2025.
 * @see https://github.com/redhat-developer/lsp4ij/issues/1247
 * @see https://github.com/redhat-developer/lsp4ij/pull/282
 * @see https://github.com/redhat-developer/lsp4ij/pull/1308
 */
function findProductInVersion(version: string): string | undefined {
  return /^(.+) \(build [A-Z]+-[\d.]+\)$/.exec(version)?.[1];
}
