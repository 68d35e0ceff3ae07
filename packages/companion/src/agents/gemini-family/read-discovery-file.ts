import { parseWorkspacePath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { tryParseJson } from "../../system/json.ts";
import type { Announcement } from "../agent.ts";
import { DiscoveryFile } from "./contract/discovery.ts";

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
  const { port, authToken, workspacePath, ideInfo, ideName, serverPid } = content.data;
  if (workspacePath === undefined) throw new Error("it does not say which folders its editor has open");
  return {
    port,
    token: authToken,
    roots: parseWorkspacePath(workspacePath, host),
    ide: ideInfo ?? (ideName === undefined ? undefined : { name: "editor", displayName: ideName }),
    serverPid,
  };
}
