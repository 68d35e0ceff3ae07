import { codexSocket } from "../../../../testkit/src/fake-cli/codex-cli.ts";
import { testRecordings } from "../../testing/recordings.ts";

testRecordings("codex", ({ companion, host }) => ({
  port: companion.port,
  socket: codexSocket(host),
  values: {},
}));
