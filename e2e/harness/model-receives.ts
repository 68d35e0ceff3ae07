import { poll } from "../../packages/testkit/src/waiting.ts";
import type { AgentCli } from "./agent-cli.ts";

/**
 * Prompts a CLI until its model has received all of this about the editor. A CLI sends with each prompt what has changed
 * since the one before, so that a match is news; an editor may report in several steps what its user does in one.
 * @returns everything that the model received with these prompts
 */
export function modelReceives(cli: AgentCli, ...wanted: readonly RegExp[]): Promise<string> {
  let news = "";
  return poll(
    `${wanted.join(" and ")} in the prompts to the model`,
    async () => {
      news += await prompt(cli);
      return wanted.every((pattern) => pattern.test(news)) ? news : undefined;
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
