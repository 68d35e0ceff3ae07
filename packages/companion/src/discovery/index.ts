export { type Discovery, type DiscoveryOptions, startDiscovery } from "./discovery.ts";
export { DiscoveryError } from "./discovery-error.ts";
export { describeKilled } from "./killed-companion.ts";
export { pidIsAlive, portIsServed } from "./liveness.ts";
export { ensureOwnedFolder, ownUid } from "./owned-folder.ts";
export { isAbandoned, type Owners, parseOwners } from "./owners.ts";
export { readPrivateFile, removeFile, writePrivateFile } from "./private-file.ts";
export { type Ends, isStranger, userOfClient, userOfServer } from "./socket-users.ts";
export { sweep } from "./sweep.ts";
