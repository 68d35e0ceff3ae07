import { copilotLock } from "../../../../testkit/src/fake-cli/copilot-cli.ts";
import { testRecordings } from "../../testing/recordings.ts";

testRecordings("copilot", ({ companion }) => {
  const { socketPath, headers } = copilotLock(companion);
  const token = headers.Authorization?.replace("Bearer ", "") ?? "";
  return { port: companion.port, socket: socketPath, values: { "token.copilot": token } };
});
