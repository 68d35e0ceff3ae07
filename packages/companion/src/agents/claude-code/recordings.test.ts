import { claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { testRecordings } from "../../testing/recordings.ts";

testRecordings("claude-code", ({ companion }) => {
  const { port, token } = claudeLock(companion);
  return { port, values: { "token.claude": token } };
});
