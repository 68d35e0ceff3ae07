import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { readProcessDetails } from "./processes/process-details.ts";
import { lineageOf, readProcessTable } from "./processes/process-table.ts";

/** A terminal that a program runs in, as far as others may read it and type in it. */
export interface ProgramTerminal {
  /** What it shows now, as plain text. */
  screen(): Promise<string>;
  /**
   * Whether what is typed reaches the program: it may have been stopped, and its shell would take the text for a
   * command.
   */
  isListening(): Promise<boolean>;
  /**
   * Types a text as one paste. It must hold no escape sequences. Unless the program is known to know pastes, spaces
   * stand for its line breaks: a shell would run each line. @throws Error when it cannot be typed
   */
  paste(text: string): Promise<void>;
}

/**
 * The pane of tmux in which a process runs.
 * @returns undefined where it runs in none, or the system does not tell
 */
export async function findTmuxPane(pid: number): Promise<ProgramTerminal | undefined> {
  const { env } = (await readProcessDetails([pid])).get(pid) ?? {};
  // The path of a socket may hold commas; the server's process and the session follow it.
  const [, socket] = /^(.+),\d+,\d+$/.exec(env?.TMUX ?? "") ?? [];
  const pane = env?.TMUX_PANE;
  if (socket === undefined || pane === undefined || !/^%\d+$/.test(pane)) return undefined;
  const tmux = (...words: readonly string[]) => output("tmux", ["-S", socket, ...words]);
  try {
    const described = await tmux("display-message", "-p", "-t", pane, "#{pane_pid} #{pane_tty}");
    const [shell, tty] = described.trim().split(" ");
    // A terminal of an editor in the pane has the pane's variables as well: the editor would get what is typed.
    if (`/dev/${await ttyOf(pid)}` !== tty) return undefined;
    // A program that has been started in tmux may have left it, as a service does, and another one is there now.
    const isInside = lineageOf(await readProcessTable(), pid).some((above) => above.pid === Number(shell));
    if (!isInside) return undefined;
  } catch {
    return undefined; // no tmux any more, or no such pane
  }
  return {
    screen: () => tmux("capture-pane", "-p", "-t", pane),
    isListening: () => isInForeground(pid),
    paste: async (text) => {
      const [lines, line] = [`ide-companion-${randomUUID()}`, `ide-companion-${randomUUID()}`];
      // By its input: the arguments of a process are for everybody to see.
      await output("tmux", ["-S", socket, "load-buffer", "-b", lines, "-"], text);
      await output("tmux", ["-S", socket, "load-buffer", "-b", line, "-"], text.replace(/\s*\n\s*/g, " "));
      // tmux itself adds the brackets of a paste where the program knows them: since 3.7 it makes an escape sequence in
      // a text visible. Only since 3.6 it tells whether the program does, and it looks and pastes in one step.
      const paste = (buffer: string) => `paste-buffer -p -r -b ${buffer} -t ${pane}`;
      try {
        await tmux("if-shell", "-F", "-t", pane, "#{==:#{bracket_paste_flag},1}", paste(lines), paste(line));
      } finally {
        await Promise.all([lines, line].map((buffer) => tmux("delete-buffer", "-b", buffer).catch(() => {})));
      }
    },
  };
}

/** The name of the terminal that a process belongs to. @throws Error when nobody can tell */
export async function ttyOf(pid: number): Promise<string> {
  return (await output("ps", ["-o", "tty=", "-p", String(pid)])).trim();
}

/** Whether what is typed in its terminal reaches a process. */
export async function isInForeground(pid: number): Promise<boolean> {
  // A + stands for the foreground.
  return (await output("ps", ["-o", "stat=", "-p", String(pid)]).catch(() => "")).includes("+");
}

const run = promisify(execFile);

/** Milliseconds in which tmux answers, unless it hangs. */
const patience = 3000;

async function output(program: string, words: readonly string[], input = ""): Promise<string> {
  const running = run(program, [...words], { timeout: patience });
  running.child.stdin?.on("error", () => {}); // it has ended, which `running` reports
  running.child.stdin?.end(input);
  return (await running).stdout;
}
