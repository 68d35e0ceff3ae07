import type { WriteStream } from "node:tty";
import type { Progress } from "../run/run-checks.ts";

/** One line on a terminal that tells how far it is; nothing elsewhere. */
export function createProgress(
  stream: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>,
) {
  const write = (text: string) => {
    if (stream.isTTY === true) stream.write(`\r\x1b[K${text}`);
  };
  return {
    show({ done, of, running }: Progress): void {
      const line = `${done} of ${of}  ${running.join(" · ")}`;
      write(line.slice(0, (stream.columns ?? 80) - 1));
    },
    clear: () => write(""),
  };
}
