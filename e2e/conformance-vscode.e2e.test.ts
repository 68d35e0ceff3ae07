import { expect } from "vitest";
import { lendEditor } from "./conformance/kit-editor.ts";
import { notOffered, runKit, within } from "./conformance/kit-run.ts";
import { startVscodeWindows } from "./conformance/vscode-hands.ts";
import { chain } from "./harness/chain.ts";
import { vscodeNeeds as needs } from "./harness/vscode.ts";

chain(
  "VS Code with the extension passes the whole conformance kit",
  async (world) => {
    const subject = await lendEditor(world, await startVscodeWindows(world));
    expect(await runKit(world, subject)).toEqual(notOffered);
  },
  { needs, within },
);
