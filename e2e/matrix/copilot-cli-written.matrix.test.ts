import { takesBack } from "../harness/takes-back.ts";
import { unaskingCopilot } from "../harness/unasking.ts";

takesBack("Copilot CLI", unaskingCopilot, (path, fresh) => [
  { call: "edit", args: { path, old_str: "beta", new_str: "BETA" } },
  { call: "create", args: { path: fresh, file_text: "new\n" } },
]);
