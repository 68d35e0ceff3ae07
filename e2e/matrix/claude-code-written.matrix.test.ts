import { takesBack } from "../harness/takes-back.ts";
import { unaskingClaude } from "../harness/unasking.ts";

takesBack("Claude Code", unaskingClaude, (path, fresh) => [
  { call: "Read", args: { file_path: path } },
  { call: "Edit", args: { file_path: path, old_string: "beta", new_string: "BETA" } },
  { call: "Write", args: { file_path: fresh, content: "new\n" } },
]);
