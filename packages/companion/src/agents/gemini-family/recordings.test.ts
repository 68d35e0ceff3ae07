import { testRecordings } from "../../testing/recordings.ts";

for (const agent of ["gemini", "qwen"]) {
  testRecordings(agent, ({ companion, client }) => ({
    port: companion.port,
    values: { "token.gemini": client("gemini").token, "token.qwen": client("qwen").token },
  }));
}
