import { quoteForShell } from "../../system/shell-word.ts";
import { type Command, exitCodes, type Invocation, type Option, UsageError } from "../invocation.ts";

/** Prints a script that completes our commands, made from their table. */
export async function runCompletions({ arguments: given, commands, out }: Invocation): Promise<number> {
  const [shell] = given.words;
  const toScript = scripts.get(shell ?? "");
  if (!toScript) throw new UsageError(`name a shell: ${[...scripts.keys()].join(", ")}`);
  // Not painted: it is our own text, and meant for a shell.
  out.line(toScript(commands));
  return exitCodes.ok;
}

const scripts = new Map([
  ["bash", toBashScript],
  ["zsh", toZshScript],
  ["fish", toFishScript],
]);

/** Completes in bash 3.2 and later, without the bash-completion package. */
export function toBashScript(commands: readonly Command[]): string {
  const named = commands.filter(({ name }) => name !== "");
  const names = named.map(({ name }) => name).join(" ");
  return `_ide_companion_add() {
  local found
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$1" -- "$2")
  compopt -o filenames 2>/dev/null
}
_ide_companion() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" given=0 word
  if (( COMP_CWORD > 1 )); then
    for word in "\${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
      if [[ "$word" != -* ]]; then given=1; fi
    done
    case "\${COMP_WORDS[1]}" in
      ${named.map(({ name }) => name).join("|")}) command="\${COMP_WORDS[1]}" ;;
    esac
  fi
  COMPREPLY=()
${commands.flatMap(toBashValueCases).join("\n")}
  local words="" folders="" files=""
  case "$command" in
${commands.map((command) => toBashCase(command, names)).join("\n")}
  esac
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n "$folders" && "$current" != -* ]]; then _ide_companion_add -d "$current"; fi
  if [[ -n "$files" && "$current" != -* ]]; then _ide_companion_add -f "$current"; fi
}
complete -F _ide_companion ide-companion`;
}

/** After an option with a value comes one of its values, or a file. */
const toBashValueCases = ({ name, options }: Command) =>
  options
    .filter(({ value }) => value !== undefined)
    .map((option) => {
      const add = option.choices
        ? `COMPREPLY=($(compgen -W "${option.choices.join(" ")}" -- "$current"))`
        : `_ide_companion_add -f "$current"`;
      return `  if [[ "$command" == "${name}" && ${toBashTest(option)} ]]; then
    ${add}
    return
  fi`;
    });

function toBashTest({ name, short }: Option): string {
  const long = `"$previous" == "--${name}"`;
  return short === undefined ? long : `( ${long} || "$previous" == "-${short}" )`;
}

function toBashCase({ name, options, words, passesOn }: Command, names: string): string {
  const flags = options.map((option) => `--${option.name}`).join(" ");
  const folders = words.completion === "folders" ? " folders=1" : "";
  const files = words.completion === "files" ? " files=1" : "";
  if (name === "") {
    return `    "")
      words="${flags}"${folders}
      if (( COMP_CWORD == 1 )); then words="$words ${names}"; fi ;;`;
  }
  const choices = Array.isArray(words.completion) ? words.completion.join(" ") : "";
  const own = `if (( COMP_CWORD == 2 )) || [[ "$current" == -* ]]; then words="${flags}"; fi`;
  const first = choices && `\n      if (( given == 0 )); then words="$words ${choices}"; fi`;
  // What follows the first word is another program's: files, as far as we know.
  if (passesOn)
    return `    ${name})
      if (( given == 1 )); then files=1; else
      ${own}${first}; fi ;;`;
  return `    ${name})
      ${own}${first}${files && `;${files}`} ;;`;
}

export function toFishScript(commands: readonly Command[]): string {
  const named = commands.filter(({ name }) => name !== "");
  const names = named.map(({ name }) => name).join(" ");
  return [
    "complete -c ide-companion -f",
    ...named.map(
      ({ name, summary }) =>
        `complete -c ide-companion -n __fish_use_subcommand -a ${name} -d ${quoteForFish(summary)}`,
    ),
    ...commands.flatMap((command) => toFishLines(command, fishCondition(command, names))),
  ].join("\n");
}

const fishCondition = ({ name }: Command, names: string) =>
  name === "" ? `"not __fish_seen_subcommand_from ${names}"` : `"__fish_seen_subcommand_from ${name}"`;

function toFishLines({ name, options, words, passesOn }: Command, when: string): readonly string[] {
  const start = `complete -c ide-companion -n ${when}`;
  const { completion } = words;
  return [
    ...options.map((option) => `${start} ${toFishFlags(option)}`),
    ...(completion === "folders" ? [`${start} -a "(__fish_complete_directories)"`] : []),
    ...(completion === "files" ? [`${start} -F`] : []),
    ...(passesOn
      ? [
          `complete -c ide-companion -n "__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -gt 2" -F`,
        ]
      : []),
    ...(Array.isArray(completion) ? [`${start} -a ${quoteForFish(completion.join(" "))}`] : []),
  ];
}

function toFishFlags({ name, short, summary, value, choices }: Option): string {
  const parts = [`-l ${name}`];
  if (short !== undefined) parts.push(`-s ${short}`);
  if (value !== undefined) parts.push(choices ? `-x -a ${quoteForFish(choices.join(" "))}` : "-r -F");
  return [...parts, `-d ${quoteForFish(summary)}`].join(" ");
}

const quoteForFish = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** Completes in zsh, either sourced after `compinit` or as a file \`_ide-companion\` in \`fpath\`. */
export function toZshScript(commands: readonly Command[]): string {
  const named = commands.filter(({ name }) => name !== "");
  return `#compdef ide-companion
_ide-companion() {
  local -a commands
  commands=(
${named.map(({ name, summary }) => `    ${quoteForShell(`${name}:${summary}`)}`).join("\n")}
  )
  case "\${words[2]}" in
${named.map(toZshCase).join("\n")}
  esac
${toZshArguments(commands.find(({ name }) => name === ""))}
  if (( CURRENT == 2 )); then _describe command commands; fi
}
if [[ "\${funcstack[1]}" == _ide-companion ]]; then _ide-companion "$@"; else compdef _ide-companion ide-companion; fi`;
}

function toZshCase(command: Command): string {
  return `    ${command.name})
      if (( CURRENT > 2 )); then
        shift words; (( CURRENT-- ))
${toZshArguments(command).replaceAll(/^/gm, "      ")}
        return
      fi ;;`;
}

function toZshArguments(command: Command | undefined): string {
  if (!command) return "";
  const specs = command.options.map(toZshSpec);
  const { completion } = command.words;
  if (completion === "folders") specs.push(quoteForShell("*:folder:_files -/"));
  if (completion === "files") specs.push(quoteForShell("*:file:_files"));
  if (Array.isArray(completion)) specs.push(quoteForShell(`1:name:(${completion.join(" ")})`));
  if (command.passesOn) specs.push(quoteForShell("*::argument:_default"));
  return `  _arguments ${specs.join(" ")}`;
}

function toZshSpec({ name, summary, value, choices, repeatable }: Option): string {
  const text = summary.replaceAll(/[[\]:]/g, "\\$&");
  const values = value === undefined ? "" : `:${value}:${choices ? `(${choices.join(" ")})` : "_files"}`;
  return quoteForShell(`${repeatable ? "*" : ""}--${name}[${text}]${values}`);
}
