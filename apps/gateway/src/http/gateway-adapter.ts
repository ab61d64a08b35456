import type { HttpAdapterHost } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { PublicRequest } from '../stream/public-request';

export interface HttpLimits {
  /** The time-out for the request line and the headers. */
  headersTimeoutMs: number;
  /** The time-out for the whole request, so that a slow sender cannot occupy a connection. */
  requestTimeoutMs: number;
  /** The interval of checks for both time-outs. A time-out may be exceeded by this much. */
  checkIntervalMs: number;
  /** Closes a connection without traffic. It must exceed the time-out of every operation that does not wait. */
  silenceTimeoutMs: number;
}

export const httpLimits: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkIntervalMs: 1_000,
  silenceTimeoutMs: 180_000,
};

const bodyLimitBytes = 256 * 1024;
// Load balancers close an idle connection after 60 s. The gateway must not close it first.
const keepAliveTimeoutMs = 65_000;

/** Answers requests that reach no hook. Fastify needs these handlers at its creation, before providers exist. */
export interface UnreadableRequestHandler {
  onClientError(error: Error, socket: Socket): void;
  /** Called for a path that cannot be decoded. */
  onFrameworkError(error: Error, request: FastifyRequest, reply: FastifyReply): void;
}

/** Fastify with the limits of the public API. `HttpModule` handles errors and unknown paths instead of Nest. */
export class GatewayAdapter extends FastifyAdapter {
  constructor(
    limits: Partial<HttpLimits> = {},
    private readonly unreadable: { handler?: UnreadableRequestHandler } = {},
  ) {
    const { headersTimeoutMs, requestTimeoutMs, checkIntervalMs, silenceTimeoutMs } = {
      ...httpLimits,
      ...limits,
    };
    super({
      bodyLimit: bodyLimitBytes,
      http: {
        headersTimeout: headersTimeoutMs,
        connectionsCheckingInterval: checkIntervalMs,
        IncomingMessage: PublicRequest,
      },
      requestTimeout: requestTimeoutMs,
      connectionTimeout: silenceTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      routerOptions: { maxParamLength: 256, caseSensitive: true, ignoreTrailingSlash: true },
      // During shutdown, requests are still served, and only their connections are closed.
      return503OnClosing: false,
      // `client-address/` reads forwarded addresses, from trusted proxies only.
      trustProxy: false,
      // Nest's middleware would match every path again, and the gateway has no middleware (benchmark "read an order").
      skipMiddie: true,
      clientErrorHandler: (error: Error, socket: Socket) => unreadable.handler!.onClientError(error, socket),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
        unreadable.handler!.onFrameworkError(error, request, reply),
    });
  }

  answerUnreadableRequestsBy(handler: UnreadableRequestHandler): void {
    this.unreadable.handler = handler;
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}

export const adapterOf = ({ httpAdapter }: HttpAdapterHost): GatewayAdapter => httpAdapter as GatewayAdapter;

export const fastifyOf = (host: HttpAdapterHost): FastifyInstance =>
  adapterOf(host).getInstance() as unknown as FastifyInstance;
