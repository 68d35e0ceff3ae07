import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CopilotClient, copilotLock } from "../../packages/testkit/src/fake-cli/copilot-cli.ts";
import { WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { proposals, writeSample } from "../../scripts/pictures/sample.mjs";
import { companionIn } from "../harness/discovery-files.ts";
import { connectFakeClaude } from "../harness/fake-claude.ts";
import { companionScript } from "../harness/installed.ts";

/** A private machine with the sample project. */
export interface Shop {
  readonly sandbox: Sandbox;
  /** Absolute path of the project. */
  readonly folder: string;
}

/** Where pictures go: the argument of each script here. */
export const pictures = process.argv[2] ?? ".";

export async function inShop(run: (shop: Shop) => Promise<void>): Promise<void> {
  const sandbox = await createSandbox();
  try {
    const folder = join(sandbox.home, "projects", "shop");
    await mkdir(join(folder, ".git"), { recursive: true });
    await writeSample(folder);
    await run({ sandbox, folder });
  } finally {
    await sandbox.close();
  }
}

/** Proposes what the agent's CLI would, without it and its model. Nobody waits for the decision. */
export type Propose = (shop: Shop, proposal?: (typeof proposals)[0]) => Promise<void>;

export const proposeAsGemini: Propose = async (shop, proposal) => (await connectAsGemini(shop))(proposal);

export const proposeAsQwen: Propose = async (shop, proposal) => {
  const propose = await connectByHttp(shop, join(shop.sandbox.home, ".qwen", "ide"));
  await propose(proposal);
};

/** The same CLI for several proposals. */
export const connectAsGemini = (shop: Shop) => connectByHttp(shop, join(shop.sandbox.tmp, "gemini", "ide"));

async function connectByHttp({ folder }: Shop, discovery: string) {
  const { port, authToken } = JSON.parse(await readFile(await companionIn(discovery), "utf8"));
  const client = await new WireClient(port, authToken).initialize();
  await client.openStream();
  return async ([, name, text] = proposals[0]): Promise<void> => {
    await client.call("openDiff", { filePath: join(folder, name), newContent: text });
  };
}

export const proposeAsClaude: Propose = async ({ sandbox, folder }, [, name, text] = proposals[0]) => {
  const client = await connectFakeClaude(sandbox);
  client.openDiff(join(folder, name), text, name).catch(() => {});
};

export const proposeAsCopilot: Propose = async ({ sandbox, folder }, [, name, text] = proposals[0]) => {
  const lock = copilotLock({ discoveryFiles: [await companionIn(join(sandbox.home, ".copilot", "ide"))] });
  const client = new CopilotClient(lock, undefined, atEndOf(sandbox));
  await client.initialize();
  await client.openStream();
  client.openDiff(join(folder, name), text, `[Copilot CLI] - ${name}`).catch(() => {});
};

/** Writes the first file as Gemini CLI does without asking, in a turn that its hooks record. */
export const writeAsGemini: Propose = async ({ sandbox, folder }, [, name, text] = proposals[0]) => {
  const file = join(folder, name);
  const call = (hook_event_name: string, more: object = {}) => {
    const input = JSON.stringify({ session_id: "s", cwd: folder, hook_event_name, ...more });
    execFileSync(process.execPath, [companionScript, "hook", "gemini"], { env: sandbox.env, input });
  };
  const edit = { tool_name: "write_file", tool_input: { file_path: file } };
  call("BeforeAgent", { prompt: "Let the total take a currency" });
  call("BeforeTool", edit);
  await writeFile(file, text);
  call("AfterTool", edit);
  call("AfterAgent");
};

const atEndOf = (sandbox: Sandbox) => (cleanup: () => void) =>
  void sandbox.own({ close: async () => cleanup() });
