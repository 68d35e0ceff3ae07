import { z } from "zod";
import { parseWorkspacePath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { tryParseJson } from "../../system/json.ts";
import type { Announcement } from "../agent.ts";
import { DiscoveryFile, IdeInfo } from "./contract/discovery.ts";

/**
 * Reads a discovery file by the contract.
 * @throws Error whose message is the end of a sentence for people
 */
export function readDiscoveryFile(text: string, host: Host): Announcement {
  const content = DiscoveryFile.safeParse(tryParseJson(text));
  if (!content.success) {
    const [issue] = content.error.issues;
    const field = issue?.path.join(".") ?? "";
    throw new Error(field === "" ? "it is not a JSON object" : `${field}: ${issue?.message}`);
  }
  const { port, authToken, workspacePath = "", ideInfo, ideName, serverPid } = content.data;
  return {
    port,
    token: authToken,
    roots: parseWorkspacePath(workspacePath, host),
    ide: ideInfo ?? (ideName === undefined ? undefined : { name: "editor", displayName: ideName }),
    serverPid,
  };
}

/** A field that is missing or of another type is not there: the CLIs check nothing and go on with what they find. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const Port = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);

/** A discovery file as the CLIs read it: whatever is in it that makes sense. */
export const DiscoveryContent = z.object({
  port: lenient(Port),
  workspacePath: lenient(z.string()),
  authToken: lenient(z.string()),
  ideInfo: lenient(IdeInfo),
  ideName: lenient(z.string()),
  ppid: lenient(z.int()),
  serverPid: lenient(z.int()),
  stdio: lenient(z.object({ command: z.string(), args: z.array(z.string()).default([]) })),
});
/** A discovery file as the CLIs read it: what makes sense in it. */
export type DiscoveryContent = z.infer<typeof DiscoveryContent>;

/** @returns undefined when it is no JSON object */
export function parseDiscoveryContent(text: string): DiscoveryContent | undefined {
  try {
    return DiscoveryContent.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // cut off by a crash, or written by something else
  }
}
