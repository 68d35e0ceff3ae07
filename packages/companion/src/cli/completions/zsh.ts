import type { Command, Option } from "../invocation.ts";

/** Completes in zsh, either sourced after `compinit` or as a file \`_ide-companion\` in \`fpath\`. */
export function toZshScript(commands: readonly Command[]): string {
  const named = commands.filter(({ name }) => name !== "");
  return `#compdef ide-companion
_ide-companion() {
  local -a commands
  commands=(
${named.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join("\n")}
  )
  case "\${words[2]}" in
${named.map(toCommandCase).join("\n")}
  esac
${toArguments(commands.find(({ name }) => name === ""))}
  if (( CURRENT == 2 )); then _describe command commands; fi
}
if [[ "\${funcstack[1]}" == _ide-companion ]]; then _ide-companion "$@"; else compdef _ide-companion ide-companion; fi`;
}

function toCommandCase(command: Command): string {
  return `    ${command.name})
      if (( CURRENT > 2 )); then
        shift words; (( CURRENT-- ))
${toArguments(command).replaceAll(/^/gm, "      ")}
        return
      fi ;;`;
}

function toArguments(command: Command | undefined): string {
  if (!command) return "";
  const specs = command.options.map(toSpec);
  const { completion } = command.words;
  if (completion === "folders") specs.push(quote("*:folder:_files -/"));
  if (completion === "files") specs.push(quote("*:file:_files"));
  if (Array.isArray(completion)) specs.push(quote(`1:name:(${completion.join(" ")})`));
  if (command.passesOn) specs.push(quote("*::argument:_default"));
  return `  _arguments ${specs.join(" ")}`;
}

function toSpec({ name, summary, value, choices, repeatable }: Option): string {
  const text = summary.replaceAll(/[[\]:]/g, "\\$&");
  const values = value === undefined ? "" : `:${value}:${choices ? `(${choices.join(" ")})` : "_files"}`;
  return quote(`${repeatable ? "*" : ""}--${name}[${text}]${values}`);
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
