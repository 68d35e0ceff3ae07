import { claudeLock } from "../../testing/claude-client.ts";
import { testRecordings } from "../../testing/recordings.ts";

testRecordings("claude-code", ({ companion }) => {
  const { port, token } = claudeLock(companion);
  return { port, values: { "token.claude": token } };
});
