// Between the conformance kit and the tests, which start an editor and drive it: `node relay.mjs SOCKET start` lasts as
// long as the editor, `node relay.mjs SOCKET ACTION …` as long as the action.
import { connect } from "node:net";
import { text } from "node:stream/consumers";

const [path = "", ...words] = process.argv.slice(2);
const socket = connect(path);
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => tell({ signal }));
tell({ words, cwd: process.cwd(), env: process.env });
const { said, problem, code } = JSON.parse(await text(socket));
if (said !== undefined) process.stdout.write(said);
if (problem !== undefined) console.error(problem);
process.exitCode = code;
