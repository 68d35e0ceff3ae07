// VS Code loads extensions as CommonJS; the rest is modules, of which Node reads only those that are needed.
import type { ExtensionContext } from "vscode";

const extension = () => import("./extension.ts");

exports.activate = async (context: ExtensionContext) => (await extension()).activate(context);
exports.deactivate = async () => (await extension()).deactivate();
