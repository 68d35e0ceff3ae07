import { poll } from "../../packages/testkit/src/waiting.ts";
import type { AgentCli } from "./agent-cli.ts";

/**
 * Prompts a CLI until it tells its model this of the editor. A CLI tells with each prompt what has changed since the one
 * before, so that a match is news.
 * @returns everything that the model received with that prompt
 */
export function modelReceives(cli: AgentCli, wanted: RegExp): Promise<string> {
  let news = "";
  return poll(
    `${wanted} in the prompt to the model`,
    async () => {
      news = await prompt(cli);
      return wanted.test(news) ? news : undefined;
    },
    { describe: () => news },
  );
}

async function prompt({ model, say, terminal }: AgentCli): Promise<string> {
  const turn = model.requests.length + 1;
  const answer = `Answer ${turn}.`;
  model.plan({ text: answer });
  await say(`Question ${turn}`);
  const { text } = await model.request(`Question ${turn}`);
  await terminal.waitFor(answer);
  return text.slice(Math.max(0, text.lastIndexOf(`Answer ${turn - 1}.`)));
}
