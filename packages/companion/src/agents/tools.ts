import { z } from "zod";
import { errorCodes, RpcError } from "../transport/json-rpc.ts";

/** What an agent may call, by name. */
type ToolTable = Readonly<Record<string, { readonly description: string; readonly input: z.ZodType }>>;

/** As `tools/list` has them. */
export function toToolList(tools: ToolTable) {
  return Object.entries(tools).map(([name, { description, input }]) => {
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input);
    return { name, description, inputSchema };
  });
}

/** The parameters of `tools/call`. */
export function toToolCall<Tools extends ToolTable>(tools: Tools) {
  return z.object({
    name: z.enum(Object.keys(tools) as (keyof Tools & string)[]), // the table's own keys
    arguments: z.record(z.string(), z.unknown()).optional(),
  });
}

/** What a tool answers: texts, one after the other. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError?: true;
}

export const answer = (...texts: readonly string[]): ToolAnswer => ({
  content: texts.map((text) => ({ type: "text", text })),
});

/** Why a tool has done nothing. */
export const failure = (message: string): ToolAnswer => ({ ...answer(message), isError: true });

/** @throws RpcError that says what is wrong */
export function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw new RpcError(errorCodes.invalidParams, z.prettifyError(error));
  return data as z.infer<Schema>;
}
