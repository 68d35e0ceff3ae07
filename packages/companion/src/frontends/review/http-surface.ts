import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../system/error-message.ts";
import { type Access, type PeerGuard, refuseForeign } from "./access.ts";
import { type Answers, type Explanation, RequestError } from "./answers.ts";
import type { Api } from "./api.ts";
import { type Asset, compress, type Encoded, readAsset, takesGzip } from "./assets.ts";

export interface HttpSurfaceOptions {
  readonly port: number;
  readonly access: Access;
  readonly refusePeer: PeerGuard;
  readonly answers: Answers;
  readonly api: Api;
  /** Folder of the built page. */
  readonly assets: string;
}

/** Where one who holds the page's secret asks for a link that opens the page once. */
export const linkPath = "/api/link";

export const toLink = (port: number, access: Pick<Access, "newKey">): string =>
  `http://127.0.0.1:${port}/open?key=${access.newKey()}`;

/** The frontend's HTTP: the one-time link, the page, and what the page reads. */
export function createHttpSurface({ port, access, refusePeer, answers, api, assets }: HttpSurfaceOptions) {
  const compressed = new Map<string, Promise<Encoded>>();

  return async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isApi = (request.url ?? "").startsWith("/api/");
    try {
      const url = parseUrl(request.url ?? "", port);
      admit(request, isApi);
      if (url.pathname === "/open") open(url, request, response);
      else if (!access.admits(request.headers.cookie)) turnAway(request, response, isApi);
      else if (url.pathname === linkPath) await answers.json(response, { link: toLink(port, access) });
      else if (isApi) await answers.json(response, await api.answer(url), { isGzip: gzipIn(request) });
      else await servePage(url.pathname, request, response);
    } catch (error) {
      fail(error, response, isApi);
    }
  };

  function fail(error: unknown, response: ServerResponse, isApi: boolean): void {
    const status = error instanceof RequestError ? error.status : 500;
    const reason = messageOf(error);
    if (isApi) void answers.json(response, { error: reason }, { status });
    else answers.explanation(response, status, { title: "This did not work", paragraphs: [reason] });
  }

  /** @throws RequestError for what is not ours to answer. */
  function admit({ method = "", headers, socket }: IncomingMessage, isApi: boolean): void {
    const purpose = isApi ? "data" : "document";
    const refusal = refusePeer(socket) ?? refuseForeign({ method, headers, purpose }, port);
    if (refusal) throw new RequestError(refusal.status, refusal.reason);
    if (method !== "GET" && method !== "HEAD") {
      throw new RequestError(405, `Only GET is answered here, got ${method}.`);
    }
  }

  function open(url: URL, { headers }: IncomingMessage, response: ServerResponse): void {
    const cookie = access.redeem(url.searchParams.get("key") ?? "");
    // A click on yesterday's link in a browser that is already in: there is nothing to explain.
    if (cookie || access.admits(headers.cookie)) answers.redirect(response, "/", cookie);
    else answers.explanation(response, 401, { ...spentLink, retry: isFromElsewhere(headers) });
  }

  function turnAway({ url, headers }: IncomingMessage, response: ServerResponse, isApi: boolean): void {
    if (isApi) {
      void answers.json(response, { error: noAccess.paragraphs.join(" ") }, { status: 401 });
      return;
    }
    answers.explanation(response, 401, { ...noAccess, retry: url === "/" && isFromElsewhere(headers) });
  }

  /** What has a digest in its name is compressed once. */
  function encode(path: string, { bytes, type, immutable }: Asset, isGzip: boolean) {
    if (!isGzip || !immutable || !isText(type)) return compress(bytes, isGzip && isText(type));
    const known = compressed.get(path) ?? compress(bytes, isGzip, "small");
    compressed.set(path, known);
    return known;
  }

  async function servePage(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isIndex = path === "/" || path === "/index.html";
    const asset = await readAsset(assets, isIndex ? "/index.html" : path);
    if (asset && isIndex) {
      const page = asset.bytes.toString("utf8");
      answers.html(response, (nonce) => page.replaceAll("__CSP_NONCE__", nonce));
    } else if (asset) {
      answers.bytes(response, await encode(path, asset, gzipIn(request)), asset.type, asset);
    } else if (isIndex) {
      throw new RequestError(500, `The page is not built: ${assets} holds no index.html.`);
    } else {
      throw new RequestError(404, `There is no ${path} here.`);
    }
  }
}

const noAccess: Explanation = {
  title: "This page needs its link",
  paragraphs: [
    "It shows your files, so it opens only with the link that the companion prints in its terminal.",
    "Open that link, or start `ide-companion` in your folder for a new one.",
  ],
};

const spentLink: Explanation = {
  title: "This link has been used",
  paragraphs: [
    "Each link opens the page once, and only for ten minutes. If the page is open in another tab, go on there.",
    "For a new link, start `ide-companion` in your folder, or look into the terminal where it runs.",
  ],
};

/**
 * A link followed from another site brings no SameSite=Strict cookie, not even after our own redirect.
 * Asking once more, from our page, does.
 */
function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  return headers["sec-fetch-site"] === "cross-site";
}

const gzipIn = ({ headers }: IncomingMessage) => takesGzip(headers["accept-encoding"]);

const isText = (type: string) => type.startsWith("text/") || type.includes("json") || type.includes("svg");

/** @throws RequestError 400 when it is no URL. */
function parseUrl(url: string, port: number): URL {
  const base = `http://127.0.0.1:${port}`;
  if (!url.startsWith("/") || !URL.canParse(base + url)) {
    throw new RequestError(400, "The address of the request is not one of this page's.");
  }
  return new URL(base + url);
}
