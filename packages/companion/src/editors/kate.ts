import { type EditorWithSign, isSet } from "./editor-record.ts";

export const kate: EditorWithSign = {
  name: "kate",
  displayName: "Kate",
  sign: isSet("KATE_PID"),
  processes: /^kate$/,
  install: {
    programs: ["kate"],
    load: async () => (await import("./kate-plan.ts")).planKate,
  },
  page: "kate.md",
};
