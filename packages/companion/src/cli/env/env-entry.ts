import { agentNames, type Command, help } from "../invocation.ts";

export const env: Command = {
  name: "env",
  summary: "print the variables that bind a terminal's CLIs to the companion of this folder",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [
    {
      name: "shell",
      value: "NAME",
      choices: ["sh", "fish", "powershell", "cmd"],
      summary: "write for this shell: sh (bash and zsh, too), fish, powershell, cmd; guessed otherwise",
    },
    {
      name: "agent",
      value: "NAME",
      choices: agentNames,
      repeatable: true,
      summary: `only for this agent: ${agentNames.join(", ")}`,
    },
    { name: "json", summary: "print one JSON object" },
    { name: "unset", summary: "print what takes the variables out of the terminal again" },
    help,
  ],
  details: [
    "Every CLI that is started in that terminal afterwards connects to this companion and to no other, as with " +
      "ide-companion run. When the companion ends they are stale: evaluate them again, or --unset.",
    "They hold a token. Every program that is started in that terminal can read it, and with it what you are " +
      "looking at, and show you changes. Keep the lines out of logs, scripts and profiles.",
  ],
  examples: [
    ['eval "$(ide-companion env)"', "in bash, zsh, dash"],
    ["ide-companion env | source", "in fish"],
    ["ide-companion env | Out-String | Invoke-Expression", "in PowerShell"],
    [`for /f "delims=" %i in ('ide-companion env --shell cmd') do @%i`, "in cmd"],
    ['eval "$(ide-companion env --unset)"', "when you are done"],
  ],
  load: async () => (await import("./env-command.ts")).runEnv,
};
