import type * as Sdk from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { version } from '../version';
import type { MayCall } from './caller';
import type { McpFailures } from './mcp-failures';
import type { McpResources } from './resources';
import type { Tool } from './tool';
import { failed } from './tool-reply';
import type { ToolRunner } from './tool-runner';

/** One request of an agent: the caller, and the tools that they see. */
export interface Exchange {
  request: FastifyRequest;
  mayCall: MayCall;
  /** The names of features; undefined for all. */
  groups: ReadonlySet<string> | undefined;
  /** The subjects of operations that this caller can buy with a payment, without an account. */
  sold: ReadonlySet<string>;
}

export interface Surroundings {
  sdk: typeof Sdk;
  tools: ReadonlyMap<string, Tool>;
  runner: ToolRunner;
  resources: McpResources;
  failures: McpFailures;
}

const [privateMs, publicMs] = [60_000, 300_000];

const instructions = `Tollbridge takes payments on any chain, swaps tokens and sells services: gift cards, airtime, bills, text messages, e-mail, cards. A tool is an operation of its HTTP API; the tools listed are those that the caller may use.
A tool that costs money buys nothing at its first call: it states the cost and a text for the argument confirm. Show the cost to the person, then call again with the same arguments and that text. The same text buys once, so repeat the call with it after a time-out.
Without an account a tool that is sold answers with a price by x402: pay it in _meta["x402/payment"] of the same call. What was bought is read with the purchase_token of the result.
Other tools that change something take idempotency_key: send a new one for each new call, and the same one to repeat it.
Payouts and nano-payments above a limit wait for a person: the result says how they are approved.
A failure has a code, which the resource tollbridge://docs/agents explains with everything else.`;

/** Creates the server of one request. No state survives the request. */
export function mcpServer(
  { sdk, tools, runner, resources, failures }: Surroundings,
  exchange: Exchange,
  era: Sdk.McpRequestContext['era'],
): Sdk.Server {
  const { request, mayCall, groups, sold } = exchange;
  const server = new sdk.Server(
    { name: 'tollbridge', title: 'Tollbridge', version },
    {
      // Earlier revisions subscribe within a session, which this server does not support.
      capabilities: { tools: {}, resources: era === 'modern' ? { subscribe: true } : {} },
      instructions,
      cacheHints: {
        'server/discover': { ttlMs: publicMs, cacheScope: 'public' },
        'tools/list': { ttlMs: privateMs, cacheScope: 'private' },
        'resources/list': { ttlMs: publicMs, cacheScope: 'public' },
        'resources/templates/list': { ttlMs: publicMs, cacheScope: 'public' },
      },
    },
  );
  const isSold = ({ operation, readsPurchase }: Tool): boolean =>
    readsPurchase ? sold.size > 0 : sold.has(operation.subject);
  const isOffered = (tool: Tool): boolean =>
    (groups === undefined || groups.has(tool.group)) && (mayCall(tool.operation.auth) || isSold(tool));

  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].filter(isOffered).map(({ definition }) => definition) as Sdk.Tool[],
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name);
    if (!tool)
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const capabilities = envelope?.[sdk.CLIENT_CAPABILITIES_META_KEY] as Sdk.ClientCapabilities | undefined;
    const around = {
      sdk,
      request,
      mayCall,
      asksPerson: canAsk(capabilities),
      answer: sdk.inputResponse(mcpReq.inputResponses, 'purchase'),
      state: mcpReq.requestState<string>(),
      payment: paymentIn(params._meta),
    };
    return runner
      .run(tool, params.arguments ?? {}, around)
      .catch((thrown: unknown) => failed(failures.describe(thrown, request)));
  });
  server.setRequestHandler('resources/list', () => ({ resources: resources.list() }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resources.templates() }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = await resources.read(uri, request).catch((thrown: unknown) => {
      throw new sdk.ProtocolError(
        sdk.ProtocolErrorCode.InternalError,
        failures.describe(thrown, request).error,
      );
    });
    if (!found) throw new sdk.ResourceNotFoundError(uri);
    return { contents: [found] };
  });
  return server;
}

/** The payload of a payment in the format of x402 over MCP. The seller validates it. */
function paymentIn(meta: Record<string, unknown> | undefined): object | undefined {
  const payment = meta?.['x402/payment'];
  return typeof payment === 'object' && payment !== null ? payment : undefined;
}

/** Whether the client can show a form to a person. `elicitation: {}` means forms. */
function canAsk(capabilities: Sdk.ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation as { form?: unknown; url?: unknown } | undefined;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
