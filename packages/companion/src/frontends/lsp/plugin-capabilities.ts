import type { Diagnostic, OptionalCapabilities } from "../../core/editor.ts";
import { messages, type PluginDiagnostic } from "../protocol/messages.ts";
import type { Client } from "./client.ts";
import type { Ask } from "./notifier.ts";

/** How long a plugin may take to show a diff or a file, or to give back a text or diagnostics, in milliseconds. */
export const limits = { open: 10_000, text: 5_000 } as const;

/** Files that are opened, diagnostics and terminals: what the plugin has announced that it can besides diffs. */
export function createPluginCapabilities(
  {
    opensFiles,
    tellsDiagnostics,
    hasTerminals,
  }: Pick<Client, "opensFiles" | "tellsDiagnostics" | "hasTerminals">,
  ask: Ask,
): OptionalCapabilities {
  const { openFile, diagnostics, readTerminal, typeInTerminal } = messages;
  return {
    ...(opensFiles && {
      openFile: async (place) => {
        await ask(openFile.method, place, { limit: limits.open, answer: openFile.answer });
      },
    }),
    ...(tellsDiagnostics && {
      getDiagnostics: async (path) => {
        const options = { limit: limits.text, answer: diagnostics.answer };
        const found = await ask(diagnostics.method, path === undefined ? {} : { path }, options);
        return found.diagnostics.map(toDiagnostic);
      },
    }),
    ...(hasTerminals && {
      readTerminal: async (pids) => {
        const options = { limit: limits.text, answer: readTerminal.answer };
        const { pid, screen } = await ask(readTerminal.method, { pids }, options);
        return pid === undefined || screen === undefined ? undefined : { pid, screen };
      },
      typeInTerminal: async (pid, text) => {
        const options = { limit: limits.text, answer: typeInTerminal.answer };
        await ask(typeInTerminal.method, { pid, text }, options);
      },
    }),
  };
}

export function toDiagnostic({ path, code, ...rest }: PluginDiagnostic): Diagnostic {
  return { ...rest, filePath: path, ...(code !== undefined && { code: String(code) }) };
}
