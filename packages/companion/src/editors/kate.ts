import type { EditorWithSign } from "./editor-record.ts";
import { isSet } from "./terminal-signs.ts";

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
