import { z } from "zod";
import { IdeInfo } from "./contract/discovery.ts";

/** A field that is missing or of another type is not there: the CLIs check nothing and go on with what they find. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const Port = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);

/** A discovery file as the CLIs read it: whatever is in it that makes sense. */
const DiscoveryContent = z.object({
  port: lenient(Port),
  workspacePath: lenient(z.string()),
  authToken: lenient(z.string()),
  ideInfo: lenient(IdeInfo),
  ideName: lenient(z.string()),
  ppid: lenient(z.int()),
  serverPid: lenient(z.int()),
  stdio: lenient(z.object({ command: z.string(), args: z.array(z.string()).default([]) })),
});
export type DiscoveryContent = z.infer<typeof DiscoveryContent>;

/** @returns undefined when it is no JSON object */
export function parseDiscoveryContent(text: string): DiscoveryContent | undefined {
  try {
    return DiscoveryContent.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // cut off by a crash, or written by something else
  }
}
