/** A connection that carries whole messages both ways, in order, until either side closes it. */
export interface Channel {
  /** What is sent after the end is dropped. */
  send(message: string): void;
  onMessage(listener: (message: string) => void): void;
  /** Called once. */
  onClose(listener: () => void): void;
  close(): void;
}
