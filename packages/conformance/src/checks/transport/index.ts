import type { Check } from "../check.ts";
import { eventsContext, eventsEndpoint, eventsOutcome } from "./events.ts";
import {
  endpoint,
  freePort,
  initialize,
  initialized,
  laterProtocol,
  protocolVersion,
  stream,
  unknownVersion,
  versionHeader,
} from "./handshake.ts";
import { answers, largeRequest, malformed, ping, unknownMethod } from "./messages.ts";
import {
  comingAndGoing,
  keepAlive,
  missingSession,
  severalClis,
  streamReopens,
  streamStays,
  unknownSession,
} from "./sessions.ts";
import { eventIds, health, oneStream } from "./streams.ts";

export const transportChecks: readonly Check[] = [
  // They only listen, so they begin first.
  streamStays,
  keepAlive,
  initialize,
  endpoint,
  freePort,
  answers,
  ping,
  unknownMethod,
  malformed,
  initialized,
  stream,
  protocolVersion,
  unknownVersion,
  versionHeader,
  unknownSession,
  missingSession,
  severalClis,
  oneStream,
  streamReopens,
  comingAndGoing,
  largeRequest,
  eventIds,
  eventsEndpoint,
  eventsContext,
  eventsOutcome,
  health,
  laterProtocol,
];
