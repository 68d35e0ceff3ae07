import type { CommandFile, LogEntry } from "./entries.ts";

/** A shell command of an agent, as a log tells of it. */
export interface Command {
  /** Its first entry. */
  readonly start: LogEntry & { readonly kind: "command-start" | "command-end" };
  /** Absent while it runs, in milliseconds since 1970. */
  endedAt?: number;
  /** Its session has gone on, and nobody has said that it has ended. */
  lostAt?: number;
  /** By absolute path; absent as long as nobody has compared them. */
  files?: Readonly<Record<string, CommandFile>>;
}

/** Whether a command that has ended ran at a time. @param time in milliseconds since 1970; a log's have no fractions */
export const ranAt = ({ start, endedAt = 0 }: Command, time: number): boolean =>
  time >= start.at && time < endedAt + 1;

/** The commands of a log, by the entries that tell of their start and end. */
export function commandsIn(entries: readonly LogEntry[]): ReadonlyMap<LogEntry, Command> {
  const found = new Map<LogEntry, Command>();
  const open = new Map<string, Command>();
  const all = new Map<string, Command>();
  for (const entry of entries) {
    if (!("agent" in entry)) continue;
    const { agent, session } = entry;
    const toKey = (...more: readonly unknown[]) => JSON.stringify([agent, session, ...more]);
    if (entry.kind === "command-start") {
      const command = { start: entry };
      found.set(entry, command);
      open.set(toKey(entry.command), command);
      all.set(toKey(entry.command, entry.at), command);
    } else if (entry.kind === "command-end") {
      const command = open.get(toKey(entry.command));
      if (command === undefined) continue;
      open.delete(toKey(entry.command));
      command.endedAt = entry.at;
      found.set(entry, command);
    } else if (entry.kind === "command-files") {
      const command = all.get(toKey(entry.command, entry.startedAt));
      if (command) command.files ??= entry.files;
    } else if (entry.kind === "turn-start" || entry.kind === "session-end") {
      for (const command of open.values())
        if (command.start.agent === agent && command.start.session === session) command.lostAt ??= entry.at;
    }
  }
  return found;
}
