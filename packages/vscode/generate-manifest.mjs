import { readFile, writeFile } from "node:fs/promises";
import { agents } from "../companion/dist/index.js";
import texts from "./agent-texts.json" with { type: "json" };

const runPrefix = "ideCompanion.run.";
const runOf = ({ name }) => runPrefix + name;
const installedPrefix = "ideCompanion.installed.";

/**
 * Writes what depends on the list of agents into package.json and package.nls*.json: names, keywords, commands,
 * settings and the welcome. VS Code reads them before any code runs. Needs the TypeScript build of the companion.
 */
export async function generateManifest() {
  await rewrite("package.json", (manifest) => withAgents(manifest, agents));
  for (const language of Object.keys(texts)) {
    const suffix = language === "en" ? "" : `.${language}`;
    await rewrite(`package.nls${suffix}.json`, (nls) => withAgentTexts(nls, language, agents));
  }
}

/** Replaces the name, the keywords, the commands, the settings and the welcome of agents, which come after the others. */
export function withAgents(manifest, agents) {
  const { contributes, keywords } = manifest;
  const { commands, configuration, viewsWelcome } = contributes;
  const settings = Object.entries(configuration.properties);
  const isSetting = ([name]) => /^ideCompanion\.[^.]+\.command$/.test(name);
  const known = settings.filter(isSetting).map(([name]) => name.split(".")[1]);
  const names = agents.map(({ name }) => name);
  const others = keywords.filter((keyword) => !known.includes(keyword) && !names.includes(keyword));
  const properties = Object.fromEntries([
    ...settings.filter((setting) => !isSetting(setting)),
    ...agents.map((agent) => [`ideCompanion.${agent.name}.command`, toSetting(agent)]),
  ]);
  return {
    ...manifest,
    displayName: `IDE Companion for ${list("en", agents)}`,
    keywords: [...names, ...others],
    contributes: {
      ...contributes,
      configuration: { ...configuration, properties },
      commands: [
        ...commands.filter(({ command }) => !command.startsWith(runPrefix)),
        ...agents.map(toCommand),
      ],
      viewsWelcome: [
        ...viewsWelcome.filter(({ when = "" }) => !when.startsWith(installedPrefix)),
        ...agents.map(toWelcome),
      ],
    },
  };
}

/** Replaces the texts that name agents; `nls` has the texts of one language. */
export function withAgentTexts(nls, language, agents) {
  const { description, run, command } = texts[language];
  const name = (text, { displayName }) => text.replaceAll("{agent}", displayName);
  const ofKind = (isContextOnly) => agents.filter(({ contextOnly = false }) => contextOnly === isContextOnly);
  const others = Object.entries(nls).filter(
    ([key]) => !/^(run\.|welcome\.|config\.[^.]+\.command$)/.test(key),
  );
  const own = agents.flatMap((agent) => [
    [`run.${agent.name}`, name(run, agent)],
    [`welcome.${agent.name}`, `[${name(run, agent)}](command:${runOf(agent)})`],
    [`config.${agent.name}.command`, name(command, agent)],
  ]);
  return {
    ...Object.fromEntries([...others, ...own]),
    description: description
      .replace("{agents}", list(language, ofKind(false)))
      .replace("{contextOnly}", list(language, ofKind(true))),
  };
}

const toCommand = (agent) => ({
  command: runOf(agent),
  title: `%run.${agent.name}%`,
  category: "IDE Companion",
  icon: "$(sparkle)",
});

/** A button that starts an agent, while the window finds its program. */
const toWelcome = ({ name }) => ({
  view: "ideCompanion.waiting",
  contents: `%welcome.${name}%`,
  when: installedPrefix + name,
});

/** A setting of the machine: a repository's own settings must not choose a program. */
const toSetting = ({ name, command }) => ({
  type: "string",
  default: command,
  scope: "machine",
  markdownDescription: `%config.${name}.command%`,
});

/** `A, B, and C` in that language. A Chinese word stands between spaces, because the names are Latin. */
function list(language, agents) {
  const format = new Intl.ListFormat(language, { style: "long", type: "conjunction" });
  const names = format.formatToParts(agents.map(({ displayName }) => displayName));
  const spaced = (word) => word.replaceAll(/\p{Script=Han}/gu, " $& ");
  return names.map(({ type, value }) => (type === "literal" ? spaced(value) : value)).join("");
}

async function rewrite(name, change) {
  const url = new URL(name, import.meta.url);
  const value = change(JSON.parse(await readFile(url, "utf8")));
  await writeFile(url, `${JSON.stringify(value, null, 2)}\n`);
}
