export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Finds the events and comments in the pieces of a `text/event-stream`. */
export class EventParser {
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #onComment: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #text = "";

  /** @param onComment gets the whole line, with its colon */
  constructor(onEvent: (event: StreamEvent) => void, onComment: (line: string) => void = () => {}) {
    this.#onEvent = onEvent;
    this.#onComment = onComment;
  }

  push(chunk: Uint8Array): void {
    this.#text += this.#decoder.decode(chunk, { stream: true });
    for (let end = this.#text.indexOf("\n\n"); end >= 0; end = this.#text.indexOf("\n\n")) {
      this.#parse(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 2);
    }
  }

  #parse(block: string): void {
    let id: string | undefined;
    const data: string[] = [];
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) this.#onComment(line);
      else if (line.startsWith("id: ")) id = line.slice("id: ".length);
      else if (line.startsWith("data: ")) data.push(line.slice("data: ".length));
    }
    if (data.length > 0) this.#onEvent({ id, data: data.join("\n") });
  }
}
