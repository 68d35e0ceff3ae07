import type { IdeInfo } from "./contract/discovery.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** An IDE, and how a terminal shows that it is in it. */
export interface KnownIde extends IdeInfo {
  /** What in the environment speaks for it; undefined when nothing does. For people: `ZED_SESSION_ID is set`. */
  sign(env: Variables): string | undefined;
}

/** An IDE that was recognised, and by what. */
export interface DetectedIde {
  readonly ide: IdeInfo;
  /** For people: `TERM_PROGRAM=vscode`. */
  readonly sign: string;
}

/** The value is not shown: it may be a secret or mean nothing to anybody. */
const isSet =
  (...variables: readonly string[]) =>
  (env: Variables) => {
    const found = variables.find((variable) => env[variable]);
    return found === undefined ? undefined : `${found} is set`;
  };

const equals = (variable: string, value: string) => (env: Variables) =>
  env[variable] === value ? `${variable}=${value}` : undefined;

const either =
  (...signs: readonly KnownIde["sign"][]) =>
  (env: Variables) =>
    signs.map((sign) => sign(env)).find((sign) => sign !== undefined);

/** JetBrains' terminals all call themselves alike. */
export function jetbrainsTerminal(env: Variables): string | undefined {
  const value = env.TERMINAL_EMULATOR;
  return value?.toLowerCase().includes("jetbrains") ? `TERMINAL_EMULATOR=${value}` : undefined;
}

const toIde = (name: string, displayName: string, sign: KnownIde["sign"]): KnownIde => ({
  name,
  displayName,
  sign,
});

/** Every IDE that an agent CLI or we can tell by a terminal's variables. */
export const ides = {
  antigravity: toIde("antigravity", "Antigravity", isSet("ANTIGRAVITY_CLI_ALIAS")),
  devin: toIde("devin", "Devin", isSet("__COG_BASHRC_SOURCED")),
  replit: toIde("replit", "Replit", isSet("REPLIT_USER")),
  cursor: toIde("cursor", "Cursor", isSet("CURSOR_TRACE_ID")),
  codespaces: toIde("codespaces", "GitHub Codespaces", isSet("CODESPACES")),
  cloudshell: toIde("cloudshell", "Cloud Shell", isSet("EDITOR_IN_CLOUD_SHELL", "CLOUD_SHELL")),
  trae: toIde("trae", "Trae", equals("TERM_PRODUCT", "Trae")),
  firebasestudio: toIde("firebasestudio", "Firebase Studio", isSet("MONOSPACE_ENV")),
  positron: toIde("positron", "Positron", equals("POSITRON", "1")),
  sublimetext: toIde("sublimetext", "Sublime Text", equals("TERM_PROGRAM", "sublime")),
  zed: toIde("zed", "Zed", either(isSet("ZED_SESSION_ID"), equals("TERM_PROGRAM", "Zed"))),
  xcode: toIde("xcode", "XCode", isSet("XCODE_VERSION_ACTUAL")),
  jetbrains: toIde("jetbrains", "JetBrains IDE", jetbrainsTerminal),
  vscode: toIde("vscode", "VS Code", equals("TERM_PROGRAM", "vscode")),
  neovim: toIde("neovim", "Neovim", isSet("NVIM")),
  vim: toIde("vim", "Vim", isSet("VIM_TERMINAL")),
  emacs: toIde("emacs", "Emacs", isSet("INSIDE_EMACS")),
  kate: toIde("kate", "Kate", isSet("KATE_PID")),
  kakoune: toIde("kakoune", "Kakoune", isSet("kak_session")),
} as const;

/** Where only the command line of the IDE's process tells one product from another, in the order they are tried. */
export const jetbrainsProducts: readonly (readonly [inCommand: string, ide: IdeInfo])[] = [
  ["idea", { name: "intellijidea", displayName: "IntelliJ IDEA" }],
  ["webstorm", { name: "webstorm", displayName: "WebStorm" }],
  ["pycharm", { name: "pycharm", displayName: "PyCharm" }],
  ["goland", { name: "goland", displayName: "GoLand" }],
  ["studio", { name: "androidstudio", displayName: "Android Studio" }],
  ["clion", { name: "clion", displayName: "CLion" }],
  ["rustrover", { name: "rustrover", displayName: "RustRover" }],
  ["datagrip", { name: "datagrip", displayName: "DataGrip" }],
  ["phpstorm", { name: "phpstorm", displayName: "PhpStorm" }],
];

/** A fork of VS Code that calls itself `vscode` in its terminals. */
export const vscodeFork: IdeInfo = { name: "vscodefork", displayName: "IDE" };

/** What stands for an IDE's name and nothing else. */
export const toIdeInfo = ({ name, displayName }: IdeInfo): IdeInfo => ({ name, displayName });
