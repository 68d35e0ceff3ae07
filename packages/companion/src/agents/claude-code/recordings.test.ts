import { claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { testRecordings } from "../../testing/recordings.ts";

/** Which speak its protocol. */
for (const agent of ["claude-code", "opencode"])
  testRecordings(agent, ({ companion }) => {
    const { port, token } = claudeLock(companion);
    return { port, values: { "token.claude": token } };
  });
