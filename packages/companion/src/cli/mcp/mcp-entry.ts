import { agents } from "../../agents/agents.ts";
import { type Command, help } from "../invocation.ts";

const startingNames = agents.filter(({ startsIde }) => startsIde).map(({ name }) => name);

export const mcp: Command = {
  name: "mcp",
  summary: "serve an agent that starts this as an MCP server: the editor as tools",
  words: { usage: "", completion: "nothing", max: 0 },
  options: [
    {
      name: "folder",
      value: "PATH",
      summary: "the folder whose companion is meant; the present one otherwise",
    },
    {
      name: "agent",
      value: "NAME",
      choices: startingNames,
      summary: `IDE mode itself instead of tools, over standard input and output, for this CLI: ${startingNames.join(", ")}`,
    },
    help,
  ],
  details: [
    "Register it in any agent that knows MCP servers: it can then ask what the user has open, selected and wrong, show " +
      "files, and have changes reviewed. It goes on over the end of a companion and the start of the next.",
    "With --agent it is what Gemini CLI and Qwen Code start by their variable …_IDE_SERVER_STDIO_COMMAND, for places " +
      "where no port can be reached. docs/reference/commands.md has the settings.",
  ],
  examples: [],
  load: async () => (await import("./mcp-command.ts")).runMcp,
};
