import { connect } from "node:net";

export interface Exchange {
  /** Everything that came back, as Latin-1. */
  readonly text: string;
  /** The status of each answer in it. */
  readonly statuses: readonly number[];
  /** Closed by the other side, or a stream of events was opened; false when nothing of this came in time. */
  readonly isOver: boolean;
}

export interface ExchangeOptions {
  /** Of silence before our end is closed, in milliseconds: what has no end would be waited for. It may cost the answer. */
  readonly silence?: number;
  /** Until the other side must have closed its end, in milliseconds. */
  readonly within?: number;
}

/** Sends bytes unchanged, piece by piece, and reads the answer. */
export function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  { silence = 50, within = 20_000 }: ExchangeOptions = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let text = "";
    const finish = (isOver: boolean) => {
      clearTimeout(limit);
      clearTimeout(quiet);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ text, statuses, isOver });
    };
    const limit = setTimeout(() => finish(false), within);
    let quiet: NodeJS.Timeout | undefined;
    const hangUpLater = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), silence);
    };
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("text/event-stream")) finish(true);
      else hangUpLater();
    });
    socket.on("error", () => {}); // "close" follows
    socket.on("close", () => finish(true));
    socket.on("connect", async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
        await new Promise(setImmediate);
      }
      hangUpLater();
    });
  });
}
