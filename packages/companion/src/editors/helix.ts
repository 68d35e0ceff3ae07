import type { EditorRecord } from "./editor-record.ts";

export const helix: EditorRecord = {
  name: "helix",
  displayName: "Helix",
  processes: /^(hx|helix)$/,
  // 25.01; of several servers it asks but the first that offers to answer.
  lsp: {
    names: ["helix"],
    showsDocuments: true,
    hasBlockCursor: true,
    sendsControls: true,
    overtakes: true,
    keys: { actions: "space a", hover: "space k", close: ":bc!", reload: ":rla" },
    coversTextByHints: true,
    unwanted: ["signatureHelp", "documentHighlight", "inlayHint"],
  },
  install: {
    programs: ["hx", "helix"],
    load: async () => (await import("./helix-plan.ts")).planHelix,
  },
  page: "helix.md",
};
