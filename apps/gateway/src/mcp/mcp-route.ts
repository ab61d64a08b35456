import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { features } from '@tollbridge/contracts';
import { decode, DomainError, mapOf } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { clientAddress } from '../client-address/client-address';
import { TrustedProxies } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { SoldResources } from '../discovery/sold-resources';
import { fastifyOf } from '../http/gateway-adapter';
import { repetitionCheck } from '../operations/input-readers';
import { readJsonObject } from '../operations/json-body';
import { StreamSlots } from '../live-state/stream-slots';
import { AllowedOrigins } from './allowed-origins';
import { Callers } from './caller';
import { maxSubscriptions, McpMessages } from './mcp-messages';
import { mcpEndpoint, McpQuery } from './mcp.routes';
import { OrderSubscriptions, subscribedIn } from './order-subscriptions';

/** A subscription ends after this time, and the client opens another one. */
const subscriptionMs = 600_000;
const rejectRepeated = repetitionCheck(McpQuery);
/** Headers of the connection come from this server, not from the package's response. */
const ownHeaders = ['connection', 'content-length', 'transfer-encoding'];

/**
 * `POST /mcp`: tools and resources for agents, with the Model Context Protocol over Streamable HTTP. The route is
 * stateless: a separate server answers each request. The same route serves protocol revisions before 2026-07-28.
 */
@Injectable()
export class McpRoute implements OnModuleInit {
  private readonly origins: AllowedOrigins;
  private readonly slots: StreamSlots;
  private readonly groups = new Set(features.map(({ name }) => name));

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly callers: Callers,
    private readonly messages: McpMessages,
    private readonly sold: SoldResources,
    private readonly orders: OrderSubscriptions,
    @Inject(TrustedProxies) private readonly proxies: BlockList,
    @Inject(ServiceConfig)
    private readonly config: Pick<
      GatewayConfig,
      'GATEWAY_PUBLIC_URL' | 'GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS'
    >,
  ) {
    this.origins = new AllowedOrigins(config.GATEWAY_PUBLIC_URL);
    const maxPerAddress = config.GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS;
    this.slots = new StreamSlots({ maxStreams: maxSubscriptions, maxPerAddress });
  }

  onModuleInit(): void {
    const { path } = mcpEndpoint.declaration;
    fastifyOf(this.host).post(path, { onRequest: [this.checkOrigin] }, (request, reply) =>
      this.answer(request, reply),
    );
  }

  private readonly checkOrigin = async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
    if (!this.origins.allows(origin))
      throw new DomainError(
        'FORBIDDEN',
        'Pages of this origin must not call /mcp. Call it from a program, or from a page of this gateway.',
        { details: { reason: 'origin' } },
      );
  };

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const groups = this.groupsIn(request);
    const message = messageIn(request.body as Buffer | undefined);
    if (!message) return reply.status(400).send(parseError);
    const mayCall = await this.callers.mayCall(request);
    const web = this.webRequest(request, reply, message, await this.messages.load());
    const exchange = { request, mayCall, groups, sold: await this.soldTo(request, message) };
    return send(reply, await this.messages.answer(web, message, exchange));
  }

  /** The operations that a client without an account can buy by x402. Read only for a list of tools. */
  private async soldTo(
    { call }: FastifyRequest,
    message: Record<string, unknown>,
  ): Promise<ReadonlySet<string>> {
    const isAsked = call.principal === 'public' && message['method'] === 'tools/list';
    return isAsked ? this.sold.subjects() : nothing;
  }

  private groupsIn({ query }: FastifyRequest): ReadonlySet<string> | undefined {
    rejectRepeated(query);
    const read = decode(McpQuery, query);
    if (!read.ok) throw DomainError.invalid(read.errors);
    const names = read.value.features?.split(',');
    const unknown = names?.filter((name) => !this.groups.has(name)) ?? [];
    if (unknown.length > 0)
      throw DomainError.invalid([{ field: 'features', message: `has unknown names: ${unknown.join(', ')}` }]);
    return names && new Set(names);
  }

  /** The request in the type that the official package expects. Its signal is aborted when the client disconnects. */
  private webRequest(
    request: FastifyRequest,
    reply: FastifyReply,
    message: Record<string, unknown>,
    { notify }: McpHttpHandler,
  ): Request {
    const ended = new AbortController();
    const signals = [ended.signal];
    reply.raw.once('close', () => ended.abort());
    if (message['method'] === 'subscriptions/listen') {
      const uris = subscribedIn(message);
      const address = clientAddress(request.raw, this.proxies);
      this.slots.take(address);
      reply.raw.once('close', () => this.slots.release(address));
      reply.raw.once(
        'close',
        this.orders.follow(uris, (uri) => notify.resourceUpdated(uri)),
      );
      signals.push(AbortSignal.timeout(subscriptionMs));
    }
    const headers = Object.entries(request.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const url = new URL(mcpEndpoint.declaration.path, this.config.GATEWAY_PUBLIC_URL);
    return new Request(url, { method: 'POST', headers, signal: AbortSignal.any(signals) });
  }
}

const nothing: ReadonlySet<string> = new Set();

const parseError = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'The body is not one JSON-RPC message in strict JSON' },
};

/**
 * Parses one message, since the protocol has no batches. `params` and `arguments` are objects, but PHP writes empty
 * objects as lists.
 */
function messageIn(body: Buffer | undefined): Record<string, unknown> | undefined {
  try {
    const message = readJsonObject(body ?? Buffer.alloc(0), { takesEmptyList: false });
    const params = mapOf(message['params']);
    if (typeof params !== 'object' || params === null || Array.isArray(params)) return message;
    const { arguments: given } = params as { arguments?: unknown };
    return { ...message, params: given === undefined ? params : { ...params, arguments: mapOf(given) } };
  } catch {
    return undefined;
  }
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  reply.status(answer.status);
  for (const [name, value] of answer.headers) if (!ownHeaders.includes(name)) reply.header(name, value);
  if (answer.body === null) return reply.send();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  return reply.send(isStream ? Readable.fromWeb(answer.body as ReadableStream) : await answer.text());
}
