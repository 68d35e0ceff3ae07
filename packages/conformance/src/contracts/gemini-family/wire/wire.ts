import { type AgentName, defaultAgent } from "../../../agents.ts";
import type { Clis, Limits } from "../../../run/subject.ts";
import type { Evidence } from "../../../wire/evidence.ts";
import { type HttpReply, type HttpRequest, type Line, RawConnection } from "../../../wire/http.ts";
import { Broken, NotRun, Unconnected } from "../../check.ts";
import { send } from "../../mcp.ts";
import { agentsOf, type Target } from "../target/target.ts";
import { CliSession } from "./cli-session.ts";

export interface WireOptions {
  readonly target: Target;
  readonly evidence: Evidence;
  readonly limits: Limits;
  readonly clis: Clis;
}

/** How a CLI introduces itself. */
export interface CliChoice {
  /** The first that the companion serves, unless given. */
  readonly agent?: AgentName;
  readonly name?: string;
  readonly protocolVersion?: string;
}

/** All that one check sends to one companion. */
export class Wire {
  readonly target: Target;
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.target = options.target;
    this.#options = options;
  }

  /** Sends one request unchanged; the caller adds the headers that every request needs. */
  send(request: HttpRequest): Promise<HttpReply> {
    return send({ line: this.#line, evidence: this.#options.evidence }, request);
  }

  /** The headers that a request needs outside of a session. */
  headers(agent?: AgentName): Record<string, string> {
    return this.newSession({ ...(agent && { agent }) }).headers;
  }

  /** @throws NotRun when the companion does not serve this agent. */
  token(agent: AgentName | undefined = agentsOf(this.target)[0]): string {
    const token = agent && this.target.tokens.get(agent);
    if (token === undefined) throw new NotRun(`no token is known for ${agent ?? "any agent"}`);
    return token;
  }

  /** @throws NotRun when it needs none: one check says so */
  secret(): string {
    const token = this.token();
    if (token === "") throw new NotRun("this companion needs no token: see token-always");
    return token;
  }

  /** A CLI that has not sent anything yet. */
  newSession(choice: CliChoice = {}): CliSession {
    const { agent = agentsOf(this.target)[0] ?? defaultAgent, ...rest } = choice;
    const session = new CliSession({
      agent,
      token: this.token(agent),
      line: this.#line,
      evidence: this.#options.evidence,
      eventWithin: this.#options.limits.event,
      ...rest,
    });
    this.#options.clis.add(() => this.#leave(session));
    return session;
  }

  /** A CLI that is initialized and has no stream. */
  async greet(choice: CliChoice = {}): Promise<CliSession> {
    const session = this.newSession(choice);
    await Unconnected.unless(session.initialize());
    const { status } = await session.initialized();
    if (status >= 400) throw new Broken(`notifications/initialized was answered ${status}`);
    return session;
  }

  /** A CLI that is initialized and has a stream. */
  async connect(choice: CliChoice = {}): Promise<CliSession> {
    const session = await this.greet(choice);
    await session.openStream();
    return session;
  }

  /** A connection on which anything at all can be sent. */
  async raw(): Promise<RawConnection> {
    const { port, answerWithin } = this.#line;
    const connection = await RawConnection.open(port, answerWithin);
    this.#options.clis.later(() => connection.close());
    return connection;
  }

  /** Closes what is still open, as a CLI that ends cleanly does. */
  async #leave(session: CliSession): Promise<void> {
    try {
      for (const path of [...session.openDiffs]) await session.closeDiff(path);
    } finally {
      for (const stream of session.streams) stream.cut();
    }
  }

  get #line(): Line {
    const { target, limits, clis } = this.#options;
    const { signal, onUnanswered } = clis;
    return { port: target.port, answerWithin: limits.answer, signal, onUnanswered };
  }
}
