import { expect } from "vitest";
import { startEmacs } from "../conformance/emacs-driver.ts";
import { startHelix } from "../conformance/helix-driver.ts";
import { lendEditor } from "../conformance/kit-editor.ts";
import { notOffered, oneFolder, runKit, within } from "../conformance/kit-run.ts";
import { startVscodeWindows } from "../conformance/vscode-driver.ts";
import { emacs } from "../harness/emacs.ts";
import { helix } from "../harness/helix.ts";
import { scenario } from "../harness/scenario.ts";
import { vscodeNeeds as needs } from "../harness/vscode.ts";

scenario(
  "VS Code with the extension passes the whole conformance kit",
  async (sandbox) => {
    const subject = await lendEditor(sandbox, await startVscodeWindows(sandbox));
    expect(await runKit(sandbox, subject)).toEqual(notOffered);
  },
  { needs, within },
);

scenario(
  "Emacs with the package passes the whole conformance kit",
  async (sandbox) => {
    expect(await runKit(sandbox, await lendEditor(sandbox, startEmacs))).toEqual(notOffered);
  },
  { within, needs: emacs.needs },
);

scenario(
  "Emacs with the package passes the whole conformance kit of Claude Code",
  async (sandbox) => {
    const subject = await lendEditor(sandbox, startEmacs);
    expect(await runKit(sandbox, { ...subject, agent: "claude-code" })).toEqual([]);
  },
  { within, needs: emacs.needs },
);

scenario(
  "Helix by its own LSP client passes the whole conformance kit",
  async (sandbox) => {
    const subject = await lendEditor(sandbox, startHelix);
    expect(await runKit(sandbox, subject)).toEqual([...oneFolder, ...notOffered]);
  },
  { within, needs: helix.needs },
);
