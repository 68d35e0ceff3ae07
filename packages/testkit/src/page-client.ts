import { once } from "node:events";
import { request } from "node:http";
import { WebSocket } from "ws";

/** Follows a link to the review page, as a browser does. @returns its cookie, `name=value` */
export async function redeem(link: string): Promise<string> {
  const [response] = await once(request(link, { agent: false }).end(), "response");
  response.resume();
  const cookie = String(response.headers["set-cookie"]).split(";")[0] ?? "";
  if (!cookie.includes("=")) throw new Error(`the link opens no page: ${response.statusCode}`);
  return cookie;
}

/** The review page without a browser, by its link, which opens once. @param take is handed each message */
export async function openPageSocket(link: string, take: (text: string) => void): Promise<WebSocket> {
  const cookie = await redeem(link);
  const { origin, host } = new URL(link);
  const socket = new WebSocket(`ws://${host}/socket`, { headers: { cookie }, origin });
  socket.on("message", (data) => take(String(data)));
  await once(socket, "open");
  return socket;
}
