import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { closeServer, listen } from "../../packages/testkit/src/listen.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

/** What the model does when it is asked next. */
export type Turn =
  | { readonly text: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

/** One request for a turn, as the CLI sent it. */
export interface ModelRequest {
  readonly url: string;
  /** The raw JSON. */
  readonly body: string;
  /** Every text of the request, as the model would read it. */
  readonly text: string;
}

/** Characters of a request that a failure shows. */
const shownOfRequest = 1000;

/** A model that says what the test prescribes, in the protocols of all agents here. */
export type Model = Awaited<ReturnType<typeof startModel>>;

export async function startModel(sandbox: Sandbox) {
  const script: Turn[] = [];
  const requests: ModelRequest[] = [];
  // As long as nobody's CLI thinks: a request is lost that is sent just as its connection is closed.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy()); // the CLI has gone away
  });
  const nextTurn = (request: ModelRequest): Turn => {
    if (isAside(request)) return { text: "" };
    requests.push(request);
    return script.shift() ?? { text: "Done." };
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await text(incoming);
    const request = { url: incoming.url ?? "", body, text: body === "" ? "" : textsOf(body) };
    const protocol = protocolOf(request);
    const streamed = /alt=sse|"stream":\s*true/.test(`${request.url}${request.body}`);
    const parts = protocol(nextTurn(request), streamed);
    response.setHeader("content-type", streamed ? "text/event-stream" : "application/json");
    response.end(streamed ? parts.map(toEvent).join("") : parts[0]);
  };
  return sandbox.own({
    url: `http://127.0.0.1:${await listen(server)}`,
    /** The requests that took a turn, oldest first. */
    requests,
    /** What it does next, in place of what was left of an earlier plan; at its end it says `Done.` */
    plan(...turns: readonly Turn[]) {
      script.splice(0, script.length, ...turns);
    },
    /** Waits for a request that holds this text. */
    request: (wanted: string) =>
      poll(`request with ${wanted}`, () => requests.find((request) => request.text.includes(wanted))),
    describe: () =>
      [
        `--- model: ${requests.length} requests, ${script.length} turns left; the last one ends with`,
        requests.at(-1)?.text.slice(-shownOfRequest) ?? "nothing",
      ].join("\n"),
    close: () => closeServer(server),
  });
}

/** All strings of a JSON text, one a line. */
function textsOf(json: string): string {
  const texts: string[] = [];
  JSON.parse(json, (_key, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
}

function protocolOf({ url }: ModelRequest): (turn: Turn, streamed: boolean) => string[] {
  if (url.includes("/v1/messages")) return anthropic;
  if (url.includes("/v1/responses")) return responses;
  return url.includes("/chat/completions") ? openAi : gemini;
}

/** Events have names where their data have types. */
function toEvent(part: string): string {
  const [, type] = /^\{"type":"([\w.]+)"/.exec(part) ?? [];
  return `${type === undefined ? "" : `event: ${type}\n`}data: ${part}\n\n`;
}

/** Gemini CLI and Qwen Code suggest what to ask next; opencode and Codex CLI give the conversation a title. */
const asides = [
  "[SUGGESTION MODE",
  "You are a title generator",
  "Generate a concise, single-line task title",
];

/** What the CLIs ask besides the conversation (suggestions, token counts, titles) takes no turn. */
function isAside({ url, body }: ModelRequest): boolean {
  // Claude Code offers its tools in the conversation alone.
  if (url.includes("/v1/messages")) return url.includes("count_tokens") || !body.includes('"name":"Edit"');
  const conversation = /streamGenerateContent|\/chat\/completions|\/v1\/responses/.test(url);
  return !conversation || asides.some((words) => body.includes(words));
}

/** `…:generateContent` and `…:streamGenerateContent?alt=sse` of the Gemini API. */
function gemini(turn: Turn): string[] {
  const part = "call" in turn ? { functionCall: { name: turn.call, args: turn.args } } : { text: turn.text };
  const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return [JSON.stringify({ candidates: [candidate], usageMetadata, totalTokens: 1 })];
}

/** `/chat/completions` of the OpenAI API, streamed or not. */
function openAi(turn: Turn, streamed: boolean): string[] {
  const called = "call" in turn;
  const message = called
    ? { role: "assistant", content: null, tool_calls: [openAiCall(turn.call, turn.args)] }
    : { role: "assistant", content: turn.text };
  const finish_reason = called ? "tool_calls" : "stop";
  const head = { id: "c1", created: 1, model: "x" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (!streamed) {
    const choices = [{ index: 0, message, finish_reason }];
    return [JSON.stringify({ ...head, object: "chat.completion", choices, usage })];
  }
  const chunk = (choice: object) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, ...choice }],
  });
  return [
    JSON.stringify(chunk({ delta: message, finish_reason: null })),
    JSON.stringify({ ...chunk({ delta: {}, finish_reason }), usage }),
    "[DONE]",
  ];
}

/** `/v1/responses` of the OpenAI API, streamed. */
function responses(turn: Turn): string[] {
  const item = toItem(turn);
  const response = { id: "r1", object: "response", created_at: 1, model: "x", output: [item] };
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details };
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item },
    ...("text" in turn
      ? [
          {
            type: "response.output_text.delta",
            item_id: item.id,
            output_index: 0,
            content_index: 0,
            delta: turn.text,
          },
        ]
      : []),
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { ...response, status: "completed", usage } },
  ].map((event) => JSON.stringify(event));
}

function toItem(turn: Turn) {
  calls += 1;
  const id = `item_${calls}`;
  if ("text" in turn) {
    const content = [{ type: "output_text", text: turn.text, annotations: [] }];
    return { id, type: "message", role: "assistant", status: "completed", content } as const;
  }
  const call = { name: turn.call, call_id: `call_${calls}`, status: "completed" } as const;
  // A script is no JSON.
  if ("script" in turn.args)
    return { id, type: "custom_tool_call", ...call, input: turn.args.script } as const;
  return { id, type: "function_call", ...call, arguments: JSON.stringify(turn.args) } as const;
}

/** `/v1/messages` of the Anthropic API, streamed or not. */
function anthropic(turn: Turn, streamed: boolean): string[] {
  const block = toBlock(turn);
  const stop_reason = "call" in turn ? "tool_use" : "end_turn";
  const message = { id: "m1", type: "message", role: "assistant", model: "x", stop_sequence: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  if (!streamed) return [JSON.stringify({ ...message, content: [block], stop_reason, usage })];
  const delta =
    block.type === "tool_use"
      ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
      : { type: "text_delta", text: block.text };
  const start = block.type === "tool_use" ? { ...block, input: {} } : { ...block, text: "" };
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ].map((event) => JSON.stringify(event));
}

function toBlock(turn: Turn) {
  if (!("call" in turn)) return { type: "text", text: turn.text } as const;
  calls += 1;
  return { type: "tool_use", id: `toolu_${calls}`, name: turn.call, input: turn.args } as const;
}

let calls = 0;

function openAiCall(name: string, args: Readonly<Record<string, unknown>>) {
  calls += 1;
  return {
    index: 0,
    id: `call_${calls}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
}
