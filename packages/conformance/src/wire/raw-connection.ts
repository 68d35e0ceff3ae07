import { connect, type Socket } from "node:net";

/** A plain TCP connection, for requests that no HTTP library would send. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #within: number;
  #received = "";
  #closed = false;
  #wake = () => {};

  /** @param within milliseconds */
  static open(port: number, within: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(new RawConnection(socket, within)));
      socket.once("error", reject);
    });
  }

  private constructor(socket: Socket, within: number) {
    this.#socket = socket;
    this.#within = within;
    socket.setEncoding("latin1").on("data", (text: string) => {
      this.#received += text;
      this.#wake();
    });
    socket.on("error", () => {}); // reset by the other side, which "close" reports
    socket.on("close", () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** The other side has hung up. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** What has come so far. */
  get received(): string {
    return this.#received;
  }

  /** Resolves when the bytes are sent or the connection is closed. */
  write(bytes: string | Buffer): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once("close", resolve);
      this.#socket.write(bytes, () => {
        this.#socket.off("close", resolve);
        resolve();
      });
    });
  }

  /** The status of the answer; undefined when there is none in time. */
  async status(within = this.#within): Promise<number | undefined> {
    const deadline = performance.now() + within;
    for (;;) {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(this.#received) ?? [];
      if (status !== undefined) return Number(status);
      const left = deadline - performance.now();
      if (this.#closed || left <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
