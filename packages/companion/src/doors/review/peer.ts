import { readFileSync } from "node:fs";
import { endianness } from "node:os";
import { ownUid } from "../../discovery/index.ts";
import type { Refusal } from "./request-guard.ts";

/** One end of a TCP connection over IPv4. */
export interface End {
  readonly address: string;
  readonly port: number;
}

/** As a socket of `node:net` tells it. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/** Turns connections of other users of this machine away, whatever keys they have come by. */
export type PeerGuard = (socket: Peer & object) => Refusal | undefined;

/** Linux tells whose a connection is; where nothing can be learnt of it, the keys alone decide. */
export function createPeerGuard(uid = ownUid(), uidOf: typeof uidOfPeer = uidOfPeer): PeerGuard {
  const known = new WeakMap<object, { readonly refusal: Refusal | undefined }>();
  return (socket) => {
    const judged = known.get(socket);
    if (judged) return judged.refusal;
    const peer = uid === null ? undefined : uidOf(socket);
    // Root may do everything, and forwards ports for others.
    const isForeign = peer !== undefined && peer !== uid && peer !== 0;
    const reason = `This page is for user ${uid}, who has started it; this connection is user ${peer}'s.`;
    const refusal = isForeign ? { status: 403, reason } : undefined;
    known.set(socket, { refusal });
    return refusal;
  };
}

function uidOfPeer({ remoteAddress, remotePort, localAddress, localPort }: Peer): number | undefined {
  if (process.platform !== "linux" || !remoteAddress || !remotePort || !localAddress || !localPort)
    return undefined;
  const theirs = { address: remoteAddress, port: remotePort };
  const ours = { address: localAddress, port: localPort };
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const uid = findUid(readTable(file), theirs, ours);
    if (uid !== undefined) return uid;
  }
  return undefined;
}

function readTable(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // hidden from us, or no IPv6 on this machine
  }
}

/**
 * The user of a connection's end in a table as `/proc/net/tcp` is one. Pure.
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function findUid(
  table: string,
  from: End,
  to: End,
  order: "BE" | "LE" = endianness(),
): number | undefined {
  const line = new RegExp(
    `: ${toPattern(from, order)} ${toPattern(to, order)} \\w+ \\S+ \\S+ \\S+ +(\\d+) `,
    "i",
  );
  const [, uid] = line.exec(table) ?? [];
  return uid === undefined ? undefined : Number(uid);
}

/** Four bytes in the machine's order, behind the prefix of an IPv4 address within IPv6 where the socket is one. */
function toPattern({ address, port }: End, order: "BE" | "LE"): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const bytes = address
    .replace(/^::ffff:/, "")
    .split(".")
    .map((byte) => hex(Number(byte), 2));
  const prefix = order === "LE" ? "0{16}ffff0000" : "0{16}0000ffff";
  return `(?:${prefix})?${(order === "LE" ? bytes.reverse() : bytes).join("")}:${hex(port, 4)}`;
}
