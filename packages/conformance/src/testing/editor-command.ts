#!/usr/bin/env node
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { editorSocket } from "./example-editor.ts";

// For `--editor-command`: sends its arguments to the example's editor and prints the answer.
const socket = connect(editorSocket(process.env));
socket.write(`${JSON.stringify(process.argv.slice(2))}\n`);
const { said = "", error }: { said?: string; error?: string } = JSON.parse(await text(socket));
if (error !== undefined) {
  console.error(error);
  process.exitCode = 1;
}
process.stdout.write(said);
