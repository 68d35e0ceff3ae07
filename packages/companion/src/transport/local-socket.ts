import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, lstatSync, renameSync } from "node:fs";
import { connect, type Server, type Socket } from "node:net";
import path from "node:path";
import { codeOf } from "../system/error-message.ts";
import { ensureOwnedFolder, ownUid, removeFile, type Uid } from "../system/private-file.ts";

/** Why a socket cannot be used: a sentence that names it and the remedy. */
export class LocalSocketError extends Error {
  override readonly name = "LocalSocketError";
}

/** How one endpoint on this machine is called: by a file, or on Windows by a name alone. */
export interface LocalName {
  /** Absolute path of a folder of ours. */
  readonly folder: string;
  /** Of the socket in it; at least 8 characters. */
  readonly file: string;
  /** Of the named pipe. All users of the machine share these names. */
  readonly pipe: string;
}

/** What both ends pass to the system: the path of a Unix socket, or of a named pipe. */
export const localPath = ({ folder, file, pipe }: LocalName, platform = process.platform): string =>
  platform === "win32" ? `\\\\.\\pipe\\${pipe}` : path.posix.join(folder, file);

export interface ListenOptions {
  /** A connection could not be taken, as when the process has no file descriptor left; the server goes on. */
  readonly onTrouble: (error: Error) => void;
  /**
   * Whether the program that has taken this connection still runs, which ends it; by default it does. The socket of one
   * that does not is replaced.
   */
  readonly isAnswering?: (socket: Socket) => Promise<boolean>;
}

export interface LocalSocketOptions extends ListenOptions {
  /** As `localPath` has it. */
  readonly path: string;
}

/** A socket that a server listens on. */
export interface LocalSocket {
  /** Whether clients still find it there: anybody may have deleted or replaced it. */
  isInPlace(): boolean;
  /** Removes it, and never another one of that name. Synchronous, for exit handlers; may be repeated. */
  remove(): void;
}

/**
 * Lets a server listen on a socket that is this user's alone: the folder 0700, the socket 0600 from the moment that it
 * can be seen. One that nobody serves any more is replaced.
 * @throws LocalSocketError or FolderError when the path cannot be used
 * @throws Error of the system; its code is EADDRINUSE when another program serves the path
 */
export async function listenOnLocalSocket(
  server: Server,
  { path: address, onTrouble, isAnswering }: LocalSocketOptions,
): Promise<LocalSocket> {
  if (isPipe(address)) {
    await listen(server, address, onTrouble);
    return { isInPlace: () => true, remove() {} };
  }
  checkLength(address);
  ensureOwnedFolder(path.dirname(address));
  await removeStale(address, isAnswering);
  // Under another name, for nobody to see it before it is private. Closing the server removes that name alone.
  const hidden = path.join(path.dirname(address), `.${randomBytes(5).toString("base64url")}`);
  await listen(server, hidden, onTrouble);
  let own: Identity | undefined;
  try {
    chmodSync(hidden, 0o600);
    own = identify(hidden);
    publish(hidden, address);
  } catch (error) {
    server.close();
    throw error;
  }
  const isInPlace = () => {
    try {
      const found = identify(address);
      return found !== undefined && found.dev === own?.dev && found.ino === own.ino;
    } catch {
      return false; // its folder is out of reach, for clients as well
    }
  };
  return {
    isInPlace,
    remove() {
      if (isInPlace()) removeFile(address);
    },
  };
}

/**
 * Connects to a socket of this user's.
 * @throws LocalSocketError or FolderError when it is somebody else's
 * @throws Error of the system: ENOENT, or ECONNREFUSED when nobody serves it
 */
export async function connectToLocalSocket(address: string, uid: Uid = ownUid()): Promise<Socket> {
  if (!isPipe(address)) {
    checkLength(address);
    for (const each of [address, path.dirname(address)]) {
      const { uid: owner } = lstatSync(each);
      if (uid === null || owner === uid) continue;
      throw new LocalSocketError(`${each} belongs to user ${owner}, and must belong to you (user ${uid}).`);
    }
  }
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/**
 * @returns undefined where nobody serves it
 * @throws the same as `connectToLocalSocket` for any other reason
 */
export async function reachLocalSocket(address: string): Promise<Socket | undefined> {
  try {
    return await connectToLocalSocket(address);
  } catch (error) {
    if (codeOf(error) !== "ECONNREFUSED" && codeOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}

/** Bytes of the longest path that the system takes for a socket. */
export const maxSocketPath = (platform = process.platform): number => (platform === "linux" ? 107 : 103);

const isPipe = (address: string) => address.startsWith("\\\\.\\pipe\\");

/** Longer ones the system cuts or refuses, by a message that tells nothing. */
function checkLength(address: string): void {
  const length = Buffer.byteLength(address);
  if (length <= maxSocketPath()) return;
  throw new LocalSocketError(
    `${address} has ${length} bytes, and the path of a socket has at most ${maxSocketPath()} on this system. ` +
      "Move its folder to a shorter path.",
  );
}

/** Only after a refused connection, or when nobody answers by it: who answers is alive. */
async function removeStale(address: string, isAnswering = async (_: Socket) => true): Promise<void> {
  const found = identify(address);
  if (found === undefined) return;
  if (!found.isSocket()) throw new LocalSocketError(`${address} is no socket. Remove it and start again.`);
  const socket = await reachLocalSocket(address);
  const isServed = socket !== undefined && (await isAnswering(socket));
  socket?.destroy();
  if (isServed) throw inUse(address);
  // Another one may have been faster, and listens there by now; it may even have the same inode.
  const now = identify(address);
  if (now?.ino === found.ino && now.ctimeNs === found.ctimeNs) removeFile(address);
}

/** Fails where another socket has the name by now. */
function publish(hidden: string, address: string): void {
  try {
    linkSync(hidden, address);
  } catch {
    if (identify(address)) throw inUse(address);
    renameSync(hidden, address); // not every file system links sockets
  }
  removeFile(hidden);
}

/** The error of an address that another program serves. */
export const inUse = (address: string) =>
  Object.assign(new Error(`Another program listens on ${address}.`), { code: "EADDRINUSE" });

type Identity = NonNullable<ReturnType<typeof identify>>;

const identify = (file: string) => lstatSync(file, { bigint: true, throwIfNoEntry: false });

function listen(server: Server, address: string, onTrouble: (error: Error) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      // Without a listener it would end the process.
      server.on("error", onTrouble);
      resolve();
    });
  });
}
