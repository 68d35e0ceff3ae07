import type { Command, Option } from "../invocation.ts";

export function toFishScript(commands: readonly Command[]): string {
  const named = commands.filter(({ name }) => name !== "");
  const names = named.map(({ name }) => name).join(" ");
  return [
    "complete -c ide-companion -f",
    ...named.map(
      ({ name, summary }) =>
        `complete -c ide-companion -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...commands.flatMap((command) => toLines(command, condition(command, names))),
  ].join("\n");
}

const condition = ({ name }: Command, names: string) =>
  name === "" ? `"not __fish_seen_subcommand_from ${names}"` : `"__fish_seen_subcommand_from ${name}"`;

function toLines({ options, words }: Command, when: string): readonly string[] {
  const start = `complete -c ide-companion -n ${when}`;
  const { completion } = words;
  return [
    ...options.map((option) => `${start} ${toFlags(option)}`),
    ...(completion === "folders" ? [`${start} -a "(__fish_complete_directories)"`] : []),
    ...(completion === "files" ? [`${start} -F`] : []),
    ...(Array.isArray(completion) ? [`${start} -a ${quote(completion.join(" "))}`] : []),
  ];
}

function toFlags({ name, short, summary, value, choices }: Option): string {
  const parts = [`-l ${name}`];
  if (short !== undefined) parts.push(`-s ${short}`);
  if (value !== undefined) parts.push(choices ? `-x -a ${quote(choices.join(" "))}` : "-r -F");
  return [...parts, `-d ${quote(summary)}`].join(" ");
}

const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
