import type { Ends } from "../system/liveness.ts";

/** A connection that carries whole messages both ways, in order, until either side closes it. */
export interface Channel {
  /** Where it comes from, when that is a connection over TCP. */
  readonly peer?: Ends;
  /** What is sent after the end is dropped. */
  send(message: string): void;
  /** The same for a message that makes earlier ones void: for an end that does not read, only the newest is kept. */
  sendLatest(message: string): void;
  onMessage(listener: (message: Buffer) => void): void;
  /** Called once. */
  onClose(listener: () => void): void;
  close(): void;
}
