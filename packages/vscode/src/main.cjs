/**
 * VS Code loads extensions as CommonJS. The rest are ES modules, which Node loads when they are needed.
 * @type {Promise<import("./window.ts").Window> | undefined}
 */
let opened;

/** @param {import("vscode").ExtensionContext} context */
exports.activate = async (context) => {
  opened = import("./window.mjs").then(({ openWindow }) => openWindow(context));
  await opened;
};

/** VS Code waits a few seconds for this when it ends or reloads a window. */
exports.deactivate = async () => (await opened)?.close();
