import { connect } from "node:net";
import { endianness } from "node:os";
import { readIfThere } from "./disk.ts";
import { codeOf } from "./error-message.ts";
import { ownUid, type Uid } from "./private-file.ts";

/** Tells whether a process with this id runs now. */
export function pidIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: it exists, and is another user's.
    return codeOf(error) === "EPERM";
  }
}

/** It has ended, and its parent has not looked yet: the first process of a container often never does. */
const isZombie = (pid: number): boolean => process.platform === "linux" && statOf(pid)[0] === "Z";

/**
 * What Linux says of a process in `/proc/PID/stat`, after its name: its state comes first.
 * @returns no word when it is gone, or hidden from us
 */
export function statOf(pid: number): readonly string[] {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The name may hold spaces and brackets.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
}

/** Tells whether anything of ours listens on a port of 127.0.0.1; within a second. In doubt it does. */
export function portIsServed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1000 });
    const finish = (served: boolean) => {
      socket.destroy();
      resolve(served);
    };
    socket.once("connect", () => finish(!isStranger(userOfServer(socket))));
    // Everything else is our own trouble, as when we have no file descriptor left.
    socket.once("error", (error) => finish(codeOf(error) !== "ECONNREFUSED"));
    // A listener too busy to accept is still one.
    socket.once("timeout", () => finish(true));
  });
}

/** One end of a TCP connection over IPv4. */
interface End {
  readonly address: string;
  readonly port: number;
}

/** A connection as a socket of `node:net` tells it. */
export interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/** The user who has opened a connection to us; undefined where the system does not tell, which only Linux does. */
export const userOfClient = (connection: Ends): number | undefined => lookUp(connection, findUser);

/** The user whose program answers a connection of ours; undefined where the system does not tell. */
export const userOfServer = (connection: Ends): number | undefined => lookUp(connection, findServingUser);

/** Root may do everything, and forwards ports for others; of whom nothing is known, nothing is thought. */
export function isStranger(user: number | undefined, own: Uid = ownUid()): user is number {
  return own !== null && user !== undefined && user !== own && user !== 0;
}

function lookUp(
  { remoteAddress, remotePort, localAddress, localPort }: Ends,
  find: typeof findUser,
): number | undefined {
  if (process.platform !== "linux" || !remoteAddress || !remotePort || !localAddress || !localPort)
    return undefined;
  const theirs = { address: remoteAddress, port: remotePort };
  const ours = { address: localAddress, port: localPort };
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const user = find(readIfThere(file) ?? "", theirs, ours);
    if (user !== undefined) return user;
  }
  return undefined;
}

/**
 * The user of a connection's end in a table as `/proc/net/tcp` is one. Pure.
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function findUser(table: string, from: End, to: End, order = endianness()): number | undefined {
  return userInLine(table, `${toPattern(from, order)} ${toPattern(to, order)} \\w+`);
}

/**
 * The user who answers at a connection's end, also when it has not been accepted yet: until then the system counts it as
 * root's, and only who listens there is known. Pure.
 */
export function findServingUser(
  table: string,
  server: End,
  client: End,
  order = endianness(),
): number | undefined {
  const accepted = findUser(table, server, client, order);
  if (accepted !== 0) return accepted;
  const any = `(?:0{8}|0{32}):${toHex(server.port, 4)}`;
  const listens = (end: string) => userInLine(table, `${end} (?:0{8}|0{32}):0000 0A`);
  return listens(toPattern(server, order)) ?? listens(any) ?? accepted;
}

/** @param ends the pattern of a line's addresses and state */
function userInLine(table: string, ends: string): number | undefined {
  const line = new RegExp(`: ${ends} \\S+ \\S+ \\S+ +(\\d+) `, "i");
  const [, user] = line.exec(table) ?? [];
  return user === undefined ? undefined : Number(user);
}

/** Four bytes in the machine's order, behind the prefix of an IPv4 address within IPv6 where the socket is one. */
function toPattern({ address, port }: End, order: "BE" | "LE"): string {
  const bytes = address
    .replace(/^::ffff:/, "")
    .split(".")
    .map((byte) => toHex(Number(byte), 2));
  const prefix = order === "LE" ? "0{16}ffff0000" : "0{16}0000ffff";
  return `(?:${prefix})?${(order === "LE" ? bytes.reverse() : bytes).join("")}:${toHex(port, 4)}`;
}

const toHex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
