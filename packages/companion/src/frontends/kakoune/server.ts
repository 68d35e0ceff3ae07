import type { MessageConnection } from "vscode-languageserver/node";
import type { z } from "zod";

/** A message that the server answers. */
interface Question<Params, Answer> {
  readonly method: string;
  readonly params: z.ZodType<Params>;
  readonly answer: z.ZodType<Answer>;
}

/** Asks the server something, as a plugin does. @throws Error with a sentence for the user */
export async function askServer<Params, Answer>(
  connection: Pick<MessageConnection, "sendRequest">,
  { method, answer }: Question<Params, Answer>,
  params: Params,
): Promise<Answer> {
  return answer.parse(await connection.sendRequest(method, params));
}

/** Takes what the server tells. */
export function hearServer<Params>(
  connection: Pick<MessageConnection, "onNotification">,
  { method, params }: Pick<Question<Params, never>, "method" | "params">,
  take: (params: Params) => void,
): void {
  connection.onNotification(method, (given: unknown) => take(params.parse(given)));
}
