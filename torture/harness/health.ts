import { HealthReport } from "../../packages/companion/src/agents/gemini-family/contract/health.ts";
import { send } from "../../packages/testkit/src/fake-cli/gemini-family.ts";

/** What a companion says of itself. @param headers with its token */
export async function readHealth(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<HealthReport> {
  const { body } = await send(port, { method: "GET", path: "/health", headers });
  return HealthReport.parse(JSON.parse(body));
}
