import { until } from "../../../until.ts";
import type { Json } from "../../../wire/json-rpc.ts";
import { byStart, demand, demandNone, quote, unless } from "../../check.ts";
import { observed, recommended } from "../../requirement.ts";
import type { CodexGroup, Means } from "../target/socket.ts";
import { isAnswered, rootOf, withRouter } from "../target/socket.ts";
import { contextOf, type IpcClient, question } from "../wire/ipc.ts";

/** A client of the companion that answers for one folder. */
async function joinFor({ connect, limits }: Means, folder: string): Promise<IpcClient> {
  const joined = await connect();
  await joined.initialize(limits.answer);
  joined.onMessage = ({ type, requestId, request, method }) => {
    const canHandle = JSON.stringify(request ?? {}).includes(JSON.stringify(folder));
    if (type === "client-discovery-request") {
      joined.send({ type: "client-discovery-response", requestId, response: { canHandle } });
    } else if (type === "request") {
      const result = { ideContext: { activeFile: null, openTabs: [], from: folder } };
      joined.send({ type: "response", requestId, method, resultType: "success", result });
    }
  };
  return joined;
}

/** Asks again where nobody is found: a companion waits a moment for its clients, and the kit's may be late. */
async function askUntilFound({ ask, limits }: Means, request: object) {
  let response: Json = {};
  await until(async () => {
    response = await ask(request);
    return response.error !== "no-client-found";
  }, limits.event);
  return response;
}

export const sharingRules: CodexGroup = {
  XR1: {
    MUST: "When another program listens at the socket, the companion connects to it, sends `initialize`, and answers its `client-discovery-request`: `canHandle` is true for questions about its folders, and false for all others.",
    sources: recommended("There is one socket for each user, and every editor wants to answer."),
    check: "client",
    proves: ["XR2"],
    ...byStart,
    async run(means) {
      const { limits } = means;
      await withRouter(means, async (router, companion) => {
        const own = await router.canHandle(question(rootOf(companion)), limits.answer);
        const foreign = await router.canHandle(question("/elsewhere"), limits.answer);
        const other = await router.canHandle({ method: "thread-follower-start", params: {} }, limits.answer);
        demandNone([
          ...unless(own === true, `canHandle is ${quote(own)} for its own folder`),
          ...unless(foreign === false, `canHandle is ${quote(foreign)} for another folder`),
          ...unless(other === false, `canHandle is ${quote(other)} for another method`),
        ]);
        contextOf(await router.pass(question(rootOf(companion)), limits.answer));
        const { error } = await router.pass({ method: "thread-follower-start", params: {} }, limits.answer);
        demand(error === "no-handler-for-request", `another method was answered with ${quote(error)}`);
      });
    },
    fault: {
      down: (message) =>
        message.type === "client-discovery-response"
          ? { ...message, response: { canHandle: true } }
          : message,
      says: /canHandle is true for another folder/,
    },
  },
  XR2: {
    MUST: "As such a client it answers the `request` that follows, and all other methods with the error `no-handler-for-request`.",
    sources: recommended("The program that asked waits otherwise."),
  },
  XR3: {
    MUST: "As the owner of the socket it asks its clients about what it cannot answer itself, and passes the request to one that can handle it, and the response back.",
    sources: recommended("Another editor would be cut off from the CLI."),
    check: "router",
    proves: ["XR4"],
    lane: "parallel",
    async run(means) {
      const folder = "/another/editor";
      await joinFor(means, folder);
      await joinFor(means, "/a/third");
      const response = await askUntilFound(means, question(folder));
      const { from } = contextOf(response);
      demand(from === folder, `the question about ${folder} was answered by ${quote(from)}`);
      const foreign = await askUntilFound(means, { method: "thread-follower-start", params: { folder } });
      const { result } = foreign;
      demand(
        JSON.stringify(result ?? {}).includes(folder),
        `a method of another program was answered with ${quote(foreign).slice(0, 200)}`,
      );
    },
    fault: {
      down: (message) => (message.type === "client-discovery-request" ? undefined : message),
      says: /no-client-found/,
    },
  },
  XR4: {
    MUST: "It answers nothing but questions about the context.",
    sources: recommended("Other programs on the socket have their own methods."),
  },
  XR5: {
    SHOULD: "As the owner it passes a `broadcast` to all other clients.",
    sources: recommended("Other programs on the socket depend on them."),
    check: "broadcast",
    lane: "parallel",
    async run({ connect, limits }) {
      const clients = [await connect(), await connect(), await connect()];
      const ids: string[] = [];
      for (const one of clients) ids.push(await one.initialize(limits.answer));
      const [sender, ...others] = clients;
      sender?.send({ type: "broadcast", method: "kit-news", sourceClientId: ids[0], params: { news: 1 } });
      const missing = () => others.filter(({ heard }) => !heard.some(({ method }) => method === "kit-news"));
      await until(() => missing().length === 0, limits.event);
      demand(missing().length === 0, `${missing().length} of 2 clients have not received a broadcast`);
      demand(
        !sender?.heard.some(({ method }) => method === "kit-news"),
        "the sender has received its own broadcast",
      );
    },
    fault: {
      down: (message) => (message.type === "broadcast" ? undefined : message),
      says: /2 of 2 clients have not received a broadcast/,
    },
  },
  XR6: {
    MUST: "When the owner of the socket ends, the companion listens itself.",
    sources: observed("The CLI connects again for each question."),
    check: "successor",
    ...byStart,
    async run(means) {
      await withRouter(means, async (owner, companion) => {
        await owner.close();
        const { socket } = companion.target;
        const isThere = () => isAnswered(socket, rootOf(companion), means.limits.answer);
        const isTaken = (await until(isThere, means.limits.event, 50)) === true;
        demand(isTaken, `${means.limits.event} ms after the owner has ended nobody answers`);
      });
    },
    fault: {
      // The proxy does not take its place.
      says: /after the owner has ended nobody answers/,
    },
  },
};
