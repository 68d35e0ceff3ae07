import { ownUid } from "../../system/owned-folder.ts";
import { type Ends, isStranger, userOfClient } from "../../system/socket-users.ts";
import type { Refusal } from "../../transport/refused-upgrade.ts";

/** Turns connections of other users of this machine away, whatever keys they have come by. */
export type PeerGuard = (socket: Ends & object) => Refusal | undefined;

/** Where nothing can be learnt of whose a connection is, the keys alone decide. */
export function createPeerGuard(own = ownUid(), userOf: typeof userOfClient = userOfClient): PeerGuard {
  const known = new WeakMap<object, { readonly refusal: Refusal | undefined }>();
  return (socket) => {
    const judged = known.get(socket);
    if (judged) return judged.refusal;
    const peer = own === null ? undefined : userOf(socket);
    const reason = `This page is for user ${own}, who has started it; this connection is user ${peer}'s.`;
    const refusal = isStranger(peer, own) ? { status: 403, reason } : undefined;
    known.set(socket, { refusal });
    return refusal;
  };
}
