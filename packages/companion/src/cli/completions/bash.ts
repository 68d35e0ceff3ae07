import type { Command, Option } from "../invocation.ts";

/** Completes in bash 3.2 and later, without the bash-completion package. */
export function toBashScript(commands: readonly Command[]): string {
  const named = commands.filter(({ name }) => name !== "");
  const names = named.map(({ name }) => name).join(" ");
  return `_ide_companion() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command=""
  if (( COMP_CWORD > 1 )); then
    case "\${COMP_WORDS[1]}" in
      ${named.map(({ name }) => name).join("|")}) command="\${COMP_WORDS[1]}" ;;
    esac
  fi
  COMPREPLY=()
${commands.flatMap(toValueCases).join("\n")}
  local words="" folders="" files=""
  case "$command" in
${commands.map((command) => toCommandCase(command, names)).join("\n")}
  esac
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n "$folders" && "$current" != -* ]]; then
    local folder
    while IFS= read -r folder; do COMPREPLY+=("$folder"); done < <(compgen -d -- "$current")
    compopt -o filenames 2>/dev/null
  fi
  if [[ -n "$files" && "$current" != -* ]]; then
    local file
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _ide_companion ide-companion`;
}

/** After an option with a value comes one of its values, or a file. */
const toValueCases = ({ name, options }: Command) =>
  options
    .filter(({ value }) => value !== undefined)
    .map((option) => {
      const values = option.choices ? `-W "${option.choices.join(" ")}"` : "-f";
      return `  if [[ "$command" == "${name}" && ${toTest(option)} ]]; then
    COMPREPLY=($(compgen ${values} -- "$current"))
    return
  fi`;
    });

function toTest({ name, short }: Option): string {
  const long = `"$previous" == "--${name}"`;
  return short === undefined ? long : `( ${long} || "$previous" == "-${short}" )`;
}

function toCommandCase({ name, options, words }: Command, names: string): string {
  const flags = options.map((option) => `--${option.name}`).join(" ");
  const folders = words.completion === "folders" ? " folders=1" : "";
  const files = words.completion === "files" ? " files=1" : "";
  if (name === "") {
    return `    "")
      words="${flags}"${folders}
      if (( COMP_CWORD == 1 )); then words="$words ${names}"; fi ;;`;
  }
  const choices = Array.isArray(words.completion) ? words.completion.join(" ") : "";
  return `    ${name})
      if (( COMP_CWORD == 2 )); then words="${`${flags} ${choices}`.trim()}"; fi${files && `;${files}`} ;;`;
}
