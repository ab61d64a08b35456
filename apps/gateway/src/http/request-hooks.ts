import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { callContext, DomainError, type CallContext, type ReplyStyle } from '@tollbridge/rpc';
import { SpanKind, startSpan, type OpenSpan } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeclaredRoutes } from '../routes/declared-routes';
import { FailureReplies } from './failure-replies';
import { fastifyOf } from './gateway-adapter';
import { GracefulStop } from './graceful-stop';
import { RepliesInProgress } from './replies-in-progress';
import { RequestLog } from './request-log';
import { preflightHeaders, standingHeaders } from './standing-headers';

declare module 'fastify' {
  interface FastifyRequest {
    call: CallContext;
    startedMs: number;
    /** The span of the request; undefined without tracing. */
    span: OpenSpan | undefined;
    /** The error code of the reply for the log; empty for a success. */
    failureCode: string;
    /** Receives a failure of the service before it is sent, and throws the failure to send. */
    onFailure?: (error: unknown) => Promise<never>;
  }
  interface FastifyContextConfig {
    style?: ReplyStyle;
    /** Whether any client may read the route without being counted: files, documents and pages without data. */
    isOpen?: boolean;
  }
}

/**
 * The first hook of every request. Creates the context, sets the headers and starts the log. Then answers requests
 * without a route.
 */
@Injectable()
export class RequestHooks implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly routes: DeclaredRoutes,
    private readonly stopping: GracefulStop,
    private readonly log: RequestLog,
    private readonly replies: RepliesInProgress,
    private readonly failures: FailureReplies,
  ) {}

  onModuleInit(): void {
    const server = fastifyOf(this.host);
    server.decorateRequest('call');
    server.decorateRequest('startedMs', 0);
    server.decorateRequest('span');
    server.decorateRequest('failureCode', '');
    server.decorateRequest('onFailure');
    server.decorateRequest('isSale', false);
    server.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw;
      // A reply to this request would be read as a part of the unfinished endless reply.
      if (this.replies.isEndless(socket)) return void socket.destroy();
      this.stopping.requestBegan();
      this.replies.add(socket, reply.raw);
      // Emitted once, even when the client disconnects, in contrast to Fastify's onResponse hook.
      reply.raw.once('close', () => {
        this.stopping.requestEnded();
        this.replies.remove(socket, reply.raw);
        this.log.write(request, reply);
      });
      this.open(request, reply);
      if (hasSeveralHosts(request.raw.rawHeaders)) this.rejectHosts(request, reply);
      else if (request.method === 'OPTIONS') this.answerPreflight(request, reply);
      // Rejects the request before its body is read.
      else if (request.is404) this.rejectRoute(request, reply);
      else done();
    });
  }

  /** Adds the context to a request, and the common headers to its reply. */
  open(request: FastifyRequest, reply: FastifyReply): void {
    const { 'x-request-id': requestId, traceparent } = request.headers;
    request.startedMs = performance.now();
    request.call = callContext({ requestId, traceparent });
    this.trace(request);
    reply.headers(standingHeaders).header('x-request-id', request.call.requestId);
    // The client then sends its next request to another replica.
    if (this.stopping.isLeaving) reply.header('connection', 'close');
  }

  private trace(request: FastifyRequest): void {
    const { method, routeOptions, call } = request;
    // Clients choose the trace id, but not whether the trace is recorded, since they could force the recording of all
    // requests.
    const unsampled = `${call.traceparent.slice(0, -2)}00`;
    request.span = startSpan(`${method} ${routeOptions?.url ?? 'none'}`, unsampled, SpanKind.SERVER);
    if (request.span) call.traceparent = request.span.traceparent;
  }

  private answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
    const allow = this.allowedFor(request);
    if (allow !== '') reply.header('allow', allow);
    const requested = request.headers['access-control-request-headers'];
    if (requested !== undefined) reply.header('access-control-allow-headers', requested);
    // Also for a path without a route, because otherwise the calling page cannot read the 404.
    void reply.headers(preflightHeaders).status(204).send();
  }

  private rejectHosts(request: FastifyRequest, reply: FastifyReply): void {
    const message = 'The request has more than one Host header. Send exactly one.';
    void this.failures.send(request, reply, new DomainError('VALIDATION_ERROR', message));
  }

  private rejectRoute(request: FastifyRequest, reply: FastifyReply): void {
    const allow = this.allowedFor(request);
    if (allow !== '') reply.header('allow', allow);
    const failure =
      allow === ''
        ? new DomainError('NOT_FOUND', 'No route has this path. GET /docs lists all operations.')
        : new DomainError('METHOD_NOT_ALLOWED');
    void this.failures.send(request, reply, failure);
  }

  private allowedFor(request: FastifyRequest): string {
    const methods = this.routes.allowed.methodsOf(request.url.split('?', 1)[0]!);
    return methods.length > 0 ? [...methods, 'OPTIONS'].sort().join(', ') : '';
  }
}

/** With two Host headers, a proxy and this server could route a request to different hosts (RFC 9112, section 3.2). */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
