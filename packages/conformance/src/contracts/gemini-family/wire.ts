import { type AgentName, agents, defaultAgent } from "../../agents.ts";
import type { Clis, Limits } from "../../run/subject.ts";
import type { Evidence } from "../../wire/evidence.ts";
import { NotRun, textsOf, Unconnected } from "../check.ts";
import { HttpCli, openRaw, type RpcAnswer } from "../http-cli.ts";
import { agentsOf, type Target } from "./target/target.ts";

export interface WireOptions {
  readonly target: Target;
  readonly evidence: Evidence;
  readonly limits: Limits;
  readonly clis: Clis;
}

/** How a CLI introduces itself. */
export interface CliChoice {
  /** The first that the companion serves, unless given. */
  readonly agent?: AgentName | undefined;
  readonly protocolVersion?: string;
}

/** What one check connects to one companion. */
export function createWire({ target, evidence, limits, clis }: WireOptions) {
  const { onUnanswered } = clis;
  const [first = defaultAgent] = agentsOf(target);
  /** @throws NotRun when the companion does not serve this agent */
  const token = (agent = first): string => {
    const found = target.tokens.get(agent);
    if (found === undefined) throw new NotRun(`no token is known for ${agent}`);
    return found;
  };
  /** A CLI that has not sent anything yet. */
  const newCli = ({ agent = first, ...choice }: CliChoice = {}): HttpCli => {
    const { title, clientVersion, protocolVersion } = agents[agent];
    const secret = token(agent);
    const cli = new HttpCli({
      ...{ title, port: target.port, limits, evidence, onUnanswered },
      own: {
        host: `127.0.0.1:${target.port}`,
        ...(secret !== "" && { authorization: `Bearer ${secret}` }),
      },
      // The name that both real CLIs send.
      clientInfo: { name: "streamable-http-client", version: clientVersion },
      protocolVersion,
      namesVersion: true,
      ...choice,
    });
    clis.add(() => leave(cli));
    return cli;
  };
  /** A CLI that is initialized and has no stream. */
  const greet = async (choice?: CliChoice): Promise<HttpCli> => {
    const cli = newCli(choice);
    await Unconnected.unless(cli.greet());
    return cli;
  };
  return {
    token,
    /** @throws NotRun when it needs none: one check says so */
    secret(): string {
      if (token() === "") throw new NotRun("this companion needs no token: see token-always");
      return token();
    },
    newCli,
    greet,
    /** A CLI that is initialized and has a stream. */
    async connect(choice?: CliChoice): Promise<HttpCli> {
      const cli = await greet(choice);
      await cli.openStream();
      return cli;
    },
    raw: () => openRaw(target.port, limits, clis),
  };
}

/** Closes what may still be open, as a CLI that ends cleanly does. */
async function leave(cli: HttpCli): Promise<void> {
  const opened = cli.called.flatMap(({ name, input: { filePath } }) =>
    name === "openDiff" && typeof filePath === "string" ? [filePath] : [],
  );
  try {
    for (const path of new Set(opened)) await closeDiff(cli, path);
  } finally {
    cli.kill();
  }
}

/** Proposes a text for a file. @throws Broken when no diff was opened */
export async function openDiff(cli: HttpCli, filePath: string, newContent: string): Promise<void> {
  const { message } = await cli.call("openDiff", { filePath, newContent });
  textsOf(message, `openDiff of ${filePath}`);
}

export const closeDiff = (cli: HttpCli, filePath: string, suppressNotification = true): Promise<RpcAnswer> =>
  cli.call("closeDiff", { filePath, suppressNotification });
