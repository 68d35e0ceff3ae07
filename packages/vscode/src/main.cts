// VS Code loads extensions as CommonJS. The rest are ES modules, which Node loads when they are needed.
import type { ExtensionContext } from "vscode";

const extension = () => import("./extension.ts");

exports.activate = async (context: ExtensionContext) => (await extension()).activate(context);
exports.deactivate = async () => (await extension()).deactivate();
