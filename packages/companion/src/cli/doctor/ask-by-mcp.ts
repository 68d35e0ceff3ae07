import { setTimeout as wait } from "node:timers/promises";
import { SdkError, SdkHttpError } from "@modelcontextprotocol/client";
import type { Answer } from "../../agents/doctor/checked-cli.ts";
import { connectByHttp } from "../../client/companion-client.ts";
import { messageOf } from "../../system/error-message.ts";
import { canConnect } from "../../transport/loopback.ts";
import { version } from "../../version.ts";

/** Milliseconds within which a companion sends what the user looks at, if it ever does. */
const contextPatience = 1000;

const clientInfo = { name: "ide-companion-doctor", title: "ide-companion doctor", version };

/** Speaks with a companion by the contract of the Gemini family. @param hosts names of this machine, tried in order */
export async function askByMcp(
  hosts: readonly string[],
  port: number,
  token: string | undefined,
): Promise<Answer> {
  const host = await findListener(hosts, port);
  if (host === undefined) return whyNobody(hosts, port);
  try {
    const client = await connectByHttp({ host, port, token }, { clientInfo });
    const context = new Promise<boolean | undefined>((resolve) => {
      client.onContext(({ workspaceState }) => resolve(workspaceState?.isTrusted));
    });
    const isTrusted = await Promise.race([context, wait(contextPatience, undefined, { ref: false })]);
    await client.close();
    return {
      kind: "taken",
      evidence: `${host}:${port} answers, and takes the token`,
      tools: client.tools,
      isTrusted,
    };
  } catch (error) {
    return toAnswer(error, port);
  }
}

async function findListener(hosts: readonly string[], port: number): Promise<string | undefined> {
  for (const host of hosts) if (await canConnect(host, port)) return host;
  return undefined;
}

async function whyNobody(hosts: readonly string[], port: number): Promise<Answer> {
  const evidence = `nothing listens on ${hosts.join(" or ")}, port ${port}`;
  const isInside = !hosts.includes("127.0.0.1") && (await canConnect("127.0.0.1", port));
  return isInside
    ? {
        kind: "unseen",
        evidence: `${evidence}; the companion is in the container, and the CLI looks outside`,
      }
    : { kind: "nowhere", evidence };
}

function toAnswer(error: unknown, port: number): Answer {
  if (SdkHttpError.isInstance(error)) {
    const { status } = error;
    return status === 401 || status === 403
      ? { kind: "refused", evidence: `port ${port} refuses the token: ${status}` }
      : { kind: "nowhere", evidence: `port ${port} is served by something else: it answered ${status}` };
  }
  const isSilent = error instanceof Error && SdkError.isInstance(error.cause);
  return { kind: isSilent ? "silent" : "nowhere", evidence: `port ${port}: ${messageOf(error)}` };
}
