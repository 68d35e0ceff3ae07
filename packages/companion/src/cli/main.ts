import path from "node:path";
import type { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import { createPaint, wantsColour } from "../core/paint.ts";
import { codeOf, messageOf } from "../system/error-message.ts";
import { systemHost } from "../system/host.ts";
import { whyUnsupported } from "../system/node-version.ts";
import { version } from "../version.ts";
import { parseArguments } from "./arguments.ts";
import { commands, defaultCommand } from "./commands.ts";
import { describeCommand } from "./help.ts";
import { type Command, exitCodes, type Invocation, type Output, UsageError } from "./invocation.ts";

const out = createOutput(process.stdout, process.env);
const err = createOutput(process.stderr, process.env);

const unsupported = whyUnsupported(process.versions.node);
if (unsupported !== undefined) {
  err.line(unsupported);
  process.exit(exitCodes.failure);
}

process.once("uncaughtException", (error) => {
  err.line(err.paint.red("ide-companion was stopped by an error in itself:"));
  // Node would print the bundle's whole line above it.
  for (const line of (error.stack ?? error.message).split("\n")) err.line(err.paint.plain(line));
  process.exit(exitCodes.failure);
});

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    // Who reads may leave early, as `head` does: the command ends as it would. A command that runs on listens as well.
    if (codeOf(error) === "EPIPE" || stream.listenerCount("error") > 1) return;
    err.line(
      `${err.paint.red("error:")} ${err.paint.plain(`the output cannot be written: ${error.message}`)}`,
    );
    process.exit(exitCodes.failure);
  });
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const named = commands.find(({ name }) => name !== "" && name === args[0]);
  const command = named ?? defaultCommand;
  try {
    return await call(command, named ? args.slice(1) : args);
  } catch (error) {
    if (!(error instanceof UsageError)) return fail(error);
    err.line(`${err.paint.red("error:")} ${err.paint.plain(error.message)}`);
    err.line(err.paint.dim(`See ${["ide-companion", command.name, "--help"].filter(Boolean).join(" ")}`));
    return exitCodes.usage;
  }
}

async function call(command: Command, args: readonly string[]): Promise<number> {
  const invocation: Invocation = {
    arguments: parseArguments(command, args),
    commands,
    host: systemHost(),
    folder: currentFolder(),
    program: path.dirname(fileURLToPath(import.meta.url)),
    out,
    err,
  };
  if (invocation.arguments.has("help")) {
    out.line(describeCommand(command, out.paint));
    return exitCodes.ok;
  }
  if (invocation.arguments.has("version")) {
    out.line(out.paint.plain(version));
    return exitCodes.ok;
  }
  const run = await command.load();
  return run(invocation);
}

/** @throws Error that says so when somebody has deleted it */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Error("the folder that you are in is gone: change into another one", { cause: error });
  }
}

function fail(error: unknown): number {
  const message = messageOf(error);
  err.line(`${err.paint.red("error:")} ${err.paint.plain(message)}`);
  return exitCodes.failure;
}

/** Makes an output of one of the process's streams. */
function createOutput(
  stream: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY">>,
  env: Readonly<Record<string, string | undefined>>,
): Output {
  const isTerminal = stream.isTTY === true;
  return {
    paint: createPaint(wantsColour(env, isTerminal)),
    isTerminal,
    line: (text = "") => void stream.write(`${isTerminal ? escapeInvisible(text) : text}\n`),
  };
}

/** As in JSON, which alone still has such characters here: they steer a terminal, or turn what one reads. */
function escapeInvisible(text: string): string {
  const toEscapes = (characters: string) =>
    Array.from({ length: characters.length }, (_, index) => {
      return `\\u${characters.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }).join("");
  return text.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, toEscapes);
}
