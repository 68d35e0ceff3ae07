import type { WriteStream } from "node:tty";
import type { Progress } from "../run/run-checks.ts";

/** Shows the progress in one line of a terminal; writes nothing elsewhere. */
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
