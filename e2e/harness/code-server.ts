import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { codeServerScript, newerNode, unpackedExtension } from "./installed.ts";
import { startServedEditor } from "./served-editor.ts";

export interface CodeServerOptions {
  /** Added to the sandbox's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Added to those that keep it quiet. */
  readonly settings?: object;
  /** Extensions besides ours. */
  readonly standIns?: readonly StandIn[];
  /** Its port; VS Code knows a folder again, and what it has kept for it, only under the same. */
  readonly port?: number;
  /** It asks whether a folder is trusted, as VS Code does on a desktop. */
  readonly asksForTrust?: boolean;
  /** Another version than the one that most tests run, and its Node. */
  readonly other?: { readonly script: string; readonly node: string };
}

/** A tiny extension that plays the part of one that cannot be had here. */
export interface StandIn {
  readonly publisher: string;
  readonly name: string;
  readonly displayName: string;
  /** Its code, CommonJS; none does nothing. */
  readonly code?: string;
  readonly activationEvents?: readonly string[];
}

/** Nothing asks, moves, updates or is fetched; the terminal is text that can be read. */
const quiet = {
  "workbench.startupEditor": "none",
  "workbench.reduceMotion": "on",
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "typescript.disableAutomaticTypeAcquisition": true,
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  "files.autoSave": "off",
  "terminal.integrated.gpuAcceleration": "off",
  "terminal.integrated.defaultProfile.linux": "bash",
};

/** Starts VS Code with our extension installed. */
export async function startCodeServer(sandbox: Sandbox, options: CodeServerOptions = {}) {
  const [data, extensions] = [join(sandbox.home, "vscode"), join(sandbox.home, "extensions")];
  await mkdir(join(data, "User"), { recursive: true });
  const settings = { ...quiet, ...options.settings };
  await writeFile(join(data, "User", "settings.json"), JSON.stringify(settings));
  const { node, script } = options.other ?? { node: join(newerNode, "node"), script: codeServerScript };
  const first = [script, "--user-data-dir", data, "--extensions-dir", extensions];
  // Without an address, no gallery is asked for anything.
  const gallery = { EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":""}' };
  const env = { ...sandbox.env, SHELL: "/bin/bash", ...gallery, ...options.env };
  await installExtensions(extensions, options.standIns ?? []);
  const flags = [
    "--bind-addr",
    `127.0.0.1:${options.port ?? 0}`,
    "--auth",
    "none",
    "--disable-telemetry",
    "--disable-update-check",
  ];
  // On a busy machine the page connects again at once, and VS Code then loses the thread of what it has compressed.
  if (!options.other) flags.push("--vscode-option", "disable-websocket-compression");
  if (!options.asksForTrust) flags.push("--disable-workspace-trust");
  const server = await startServedEditor(sandbox, {
    name: "code-server",
    command: [...first, ...flags],
    node,
    env,
    address: /HTTP server listening on (http:\S+)/,
  });
  sandbox.own({ describe: () => logsOf(data), close: async () => {} });
  return {
    ...server,
    port: Number(new URL(server.url).port),
    /** Where a browser sees a folder, a `.code-workspace` file, or a folder of a file system that some extension has. */
    urlOf(path: string) {
      const kind = path.endsWith(".code-workspace") ? "workspace" : "folder";
      return `${server.url}?${kind}=${encodeURIComponent(path)}`;
    },
  };
}

/** Characters of each log that a failure shows. */
const shownOfLog = 4000;

/** What our extension has logged, one for each window that there was. */
async function logsOf(data: string): Promise<string> {
  const paths = (await readdir(join(data, "logs"), { recursive: true }).catch(() => [])).filter((path) =>
    path.endsWith("IDE Companion.log"),
  );
  const texts = paths.map(async (path) => {
    const text = await readFile(join(data, "logs", path), "utf8");
    return `--- ${path}\n${text.slice(-shownOfLog).trimEnd()}`;
  });
  return (await Promise.all(texts)).join("\n");
}

/**
 * Installs ours and others as VS Code does, which takes it a second of a processor: a list has their folders. They may
 * be there since an earlier start.
 */
async function installExtensions(extensions: string, standIns: readonly StandIn[]): Promise<void> {
  await mkdir(extensions, { recursive: true });
  const entries: object[] = [];
  const list = (id: string, version: string, path: string) =>
    entries.push({ identifier: { id }, version, location: { $mid: 1, path, scheme: "file" } });
  const ours = JSON.parse(await readFile(join(unpackedExtension, "package.json"), "utf8"));
  list(`${ours.publisher}.${ours.name}`, ours.version, unpackedExtension);
  for (const { code = "", activationEvents = ["onStartupFinished"], ...standIn } of standIns) {
    const id = `${standIn.publisher}.${standIn.name}`;
    const folder = join(extensions, id);
    await mkdir(folder, { recursive: true });
    const manifest = {
      ...standIn,
      version: "1.0.0",
      engines: { vscode: "^1.96.0" },
      main: "./main.js",
      activationEvents,
    };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await writeFile(join(folder, "main.js"), `exports.activate = () => {\n${code}\n};\n`);
    list(id, "1.0.0", folder);
  }
  await writeFile(join(extensions, "extensions.json"), JSON.stringify(entries));
}
