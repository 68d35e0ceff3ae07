import path from "node:path";
import type { PathMap } from "../../files/path-map.ts";
import { isInside } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { isObject } from "../../system/json.ts";
import { inUse, listenOnLocalSocket } from "../../transport/local-socket.ts";
import type { FarMachine, LiveFinding, Relay, RelayOptions } from "../agent.ts";
import { concernOf } from "./ide-context.ts";
import { ownId } from "./messages.ts";
import { type Answer, askForContext } from "./question.ts";
import type { Answerer } from "./router.ts";
import { type Place, type Seat, takeSeat } from "./seat.ts";
import { codexSockets } from "./sockets.ts";

/**
 * Takes part in the sockets that the programs of another machine share, and answers there for a companion here. What is
 * asked is asked here, as by a CLI that runs here.
 */
export async function startRelay(options: RelayOptions): Promise<Relay | undefined> {
  const { companion, host, folder, map, onTrouble } = options;
  if (folder === undefined || !(await isServedBy(companion, host))) return undefined;

  let roots: readonly string[] = [];
  const answerer: Answerer = {
    // Its folders have no symlinks in them, and nothing here is theirs.
    concern: (request) => concernOf(request, roots, (one) => one),
    async answer({ params, sourceClientId = "" }) {
      const asked = String(params.workspaceRoot);
      // One above the folders is answered for the first below it.
      const here = [asked, ...roots.filter((one) => isInside(one, asked, path.posix))]
        .map((one) => map.toHere(one))
        .find((one) => one !== undefined);
      const answer = here === undefined ? undefined : await ask(here, sourceClientId, host);
      return answer?.kind === "context" ? { ideContext: toThere(answer.ideContext, asked, map) } : undefined;
    },
  };

  let shared: FarMachine | undefined;
  let seats: readonly Seat[] = [];
  const leave = async () => {
    await Promise.all(seats.map((seat) => seat.close()));
    seats = [];
  };
  return {
    async announce(far, there) {
      roots = there;
      if (shared === far) return;
      await leave();
      const sockets = codexSockets(far.host, far.uid, "linux");
      const troubles: string[] = [];
      const take = (address: string, name: string, say: (trouble: string) => void) =>
        takeSeat(toFarPlace(far, address, path.join(folder, name)), answerer, say);
      const [first, second] = await Promise.all([
        take(sockets.current, "codex", (trouble) =>
          shared === far ? onTrouble(trouble) : troubles.push(trouble),
        ),
        take(sockets.former, "codex-former", () => {}),
      ]);
      seats = [first, second];
      if (seats.every(({ role }) => role === "none")) {
        await leave();
        throw new Error(troubles[0]);
      }
      for (const trouble of troubles) onTrouble(trouble);
      shared = far;
      void far.ended.then(() => (shared === far ? leave() : undefined));
    },
    close: leave,
  };
}

/** Whether somebody answers for the companion's folders, as the CLI would find out. */
export async function isServedBy({ roots: [root] }: LiveFinding, host: Host): Promise<boolean> {
  return root !== undefined && (await ask(root, ownId, host)).kind === "context";
}

/** As a CLI of this machine does. @param asker who asks */
async function ask(folder: string, asker: string, host: Host): Promise<Answer> {
  const { current, former } = codexSockets(host);
  const answer = await askForContext(current, folder, asker);
  return answer.kind === "unreachable" ? askForContext(former, folder, asker) : answer;
}

/** A socket of another machine, which leads to one here where this relay serves it. */
function toFarPlace(far: FarMachine, address: string, here: string): Place {
  let count = 0;
  return {
    name: address,
    async reach() {
      const probe = await far.connect(address);
      if (!probe) return undefined;
      // It may be taken before anybody there has taken it: only its end shows.
      probe.socket.destroy();
      return (await probe.refused) ? undefined : (await far.connect(address))?.socket;
    },
    async listen(server, { isAnswering, onTrouble }) {
      const served = await far.connect(address);
      const isServed = served !== undefined && ((await isAnswering?.(served.socket)) ?? true);
      served?.socket.destroy();
      if (isServed && !(await served.refused)) throw inUse(address);
      await far.makeFolder(path.posix.dirname(address));
      count += 1;
      const own = `${here}-${count}`;
      const socket = await listenOnLocalSocket(server, { path: own, onTrouble });
      try {
        await far.listen(address, own);
      } catch (error) {
        socket.remove();
        throw error;
      }
      return { isInPlace: () => true, remove: () => socket.remove() };
    },
  };
}

/** The context with the names that the CLI knows. Files that are not there are left out. */
function toThere(context: unknown, workspaceRoot: string, map: PathMap): object {
  const { activeFile, openTabs, ...rest } = isObject(context) ? context : {};
  const toFile = (file: unknown) => {
    const there = isObject(file) && typeof file.fsPath === "string" ? map.toThere(file.fsPath) : undefined;
    if (there === undefined) return undefined;
    const isBelow = isInside(there, workspaceRoot, path.posix);
    return {
      ...Object(file),
      fsPath: there,
      path: isBelow ? path.posix.relative(workspaceRoot, there) : there,
    };
  };
  const tabs = Array.isArray(openTabs) ? openTabs : [];
  return {
    ...rest,
    activeFile: toFile(activeFile) ?? null,
    openTabs: tabs.flatMap((tab) => toFile(tab) ?? []),
  };
}
