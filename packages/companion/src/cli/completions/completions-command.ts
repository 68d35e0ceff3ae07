import {
  type Command,
  exitCodes,
  type Invocation,
  type Option,
  summaryOf,
  UsageError,
} from "../invocation.ts";

/** Prints a script that completes our commands; or, for that script, what may come next. */
export async function runCompletions({ arguments: given, commands, out }: Invocation): Promise<number> {
  const [word = ""] = given.words;
  const text = word === "next" ? complete(commands, given.passedOn) : scripts[word];
  if (!text) throw new UsageError(`name a shell: ${Object.keys(scripts).join(", ")}`);
  // Not painted: it is our own text, and meant for a shell.
  for (const line of [text].flat()) out.line(line);
  return exitCodes.ok;
}

/**
 * What may come next on a command line: a word with its meaning behind a tab, `:files` or `:folders`.
 * @param typed the words behind the program's name, the last one as far as it was typed
 */
export function complete(commands: readonly Command[], typed: readonly string[]): readonly string[] {
  const [current = "", ...before] = typed.toReversed();
  const command = commands.find(({ name }) => name === (before.at(-1) ?? "")) ?? commands.find(isUnnamed);
  if (!command) return [];
  const { name, options, words, passesOn } = command;
  const own = name === "" ? before : before.slice(0, -1);
  const wanted = options.find(({ value, ...option }) => value !== undefined && isNamed(option, before[0]));
  if (wanted && !wanted.choices) return [":files"];
  const given = own.filter((word) => !word.startsWith("-"));
  // What follows the first word is another program's: files, as far as we know.
  if (passesOn && given.length > 0) return [":files"];
  const takesFlags = name === "" || own.length === 0 || current.startsWith("-");
  const names = name === "" && before.length === 0 ? commands.filter((one) => !isUnnamed(one)) : [];
  const { completion } = words;
  const choices = Array.isArray(completion) && given.length === 0 ? completion : [];
  const found = wanted?.choices ?? [
    ...(takesFlags ? options.map((option) => `--${option.name}\t${summaryOf(option)}`) : []),
    ...names.map((one) => `${one.name}\t${one.summary}`),
    ...choices,
  ];
  const isPlace = !wanted && !current.startsWith("-") && (completion === "files" || completion === "folders");
  return [...found.filter((word) => word.startsWith(current)), ...(isPlace ? [`:${completion}`] : [])];
}

const isUnnamed = ({ name }: Command) => name === "";

const isNamed = ({ name, short }: Pick<Option, "name" | "short">, word: string | undefined) =>
  word === `--${name}` || (short !== undefined && word === `-${short}`);

/** Each asks us what may come next. */
const scripts: Readonly<Record<string, string>> = {
  // In bash 3.2 and later, without the bash-completion package.
  bash: `_ide_companion_add() {
  local found
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$1" -- "\${COMP_WORDS[COMP_CWORD]}")
  compopt -o filenames 2>/dev/null
}
_ide_companion() {
  local word rest
  COMPREPLY=()
  while IFS=$'\\t' read -r word rest; do
    case "$word" in
      :files) _ide_companion_add -f ;;
      :folders) _ide_companion_add -d ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(ide-companion completions next -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _ide_companion ide-companion`,
  // Either sourced after `compinit`, or as a file `_ide-companion` in `fpath`.
  zsh: `#compdef ide-companion
_ide-companion() {
  local -a found
  local line
  while IFS= read -r line; do
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      *) found+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done < <(ide-companion completions next -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe command found
}
if [[ "\${funcstack[1]}" == _ide-companion ]]; then _ide-companion "$@"; else compdef _ide-companion ide-companion; fi`,
  fish: `function __ide_companion
  set -l typed (commandline -opc)
  for line in (ide-companion completions next -- $typed[2..] (commandline -ct) 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path (commandline -ct)
      case :folders
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c ide-companion -f -a '(__ide_companion)'`,
};
