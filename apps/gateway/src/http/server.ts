import { FastifyAdapter } from '@nestjs/platform-fastify';
import { callContext, DomainError, logFields, type CallContext, type ReplyStyle } from '@tollbridge/rpc';
import type { AccessEntry, Logger, Metrics } from '@tollbridge/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PublicRequest } from '../stream/public-request';
import { BodyAdmission, bodyBounds, type BodyBounds } from './body-admission';
import { answerBrokenRequest } from './broken-requests';
import { GracefulStop } from './graceful-stop';
import { asDomainError, sendFailure, styleOfPath } from './render';
import { requestLog } from './request-log';
import { RouteTable } from './route-table';
import { preflightHeaders, standingHeaders } from './standing-headers';

declare module 'fastify' {
  interface FastifyRequest {
    call: CallContext;
    startedMs: number;
    /** The code that was answered, for the log; empty for a success. */
    failureCode: string;
    /** Sees a failure of the service before it is answered, and throws what is answered. */
    onFailure?: (error: unknown) => Promise<never>;
  }
  interface FastifyContextConfig {
    style?: ReplyStyle;
  }
}

export interface HttpLimits {
  /** The first line and the headers must have come by then. */
  headersTimeoutMs: number;
  /** The body too: a slow sender must not hold a connection for ever. */
  requestTimeoutMs: number;
  /** How often both are looked at: what they bound lasts up to this much longer. */
  checkIntervalMs: number;
  /** A connection on which nothing moves for longer is cut; above the time-out of every operation that does not wait. */
  silenceTimeoutMs: number;
}

export const httpLimits: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkIntervalMs: 1_000,
  silenceTimeoutMs: 180_000,
};

const bodyLimitBytes = 256 * 1024;
// Above the 60 s after which load balancers drop an idle connection: they must be the ones who close it.
const keepAliveTimeoutMs = 65_000;
// Each costs a file descriptor and some kilobytes; past this, another replica is the better answer.
const maxConnections = 10_000;

/** Nest brings handlers of its own for errors and unknown paths, and would set them over those of the gateway. */
class GatewayAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }
  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}

export interface PublicServerParts {
  logger: Logger;
  writeAccess: (entry: AccessEntry) => void;
  metrics: Metrics;
  /** Failures link to their explanation there. */
  publicUrl: string;
}

/** What the public server and all its routes share. */
export class PublicServer {
  readonly adapter: FastifyAdapter;
  readonly stopping = new GracefulStop();
  readonly bodies: BodyAdmission;
  private readonly log: (request: FastifyRequest, reply: FastifyReply) => void;
  private readonly routes = new RouteTable();

  constructor(
    private readonly parts: PublicServerParts,
    limits: HttpLimits = httpLimits,
    bodies: BodyBounds = bodyBounds,
  ) {
    const { logger, writeAccess, metrics, publicUrl } = parts;
    const answerBroken = answerBrokenRequest(logger, publicUrl);
    this.bodies = new BodyAdmission(bodies, (socket) => answerBroken(bodyTimeout(), socket));
    this.log = requestLog(writeAccess, metrics);
    this.adapter = new GatewayAdapter({
      bodyLimit: bodyLimitBytes,
      http: {
        headersTimeout: limits.headersTimeoutMs,
        connectionsCheckingInterval: limits.checkIntervalMs,
        IncomingMessage: PublicRequest,
      },
      requestTimeout: limits.requestTimeoutMs,
      connectionTimeout: limits.silenceTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      routerOptions: { maxParamLength: 256, caseSensitive: true, ignoreTrailingSlash: true },
      // While it stops, what still arrives is served: only the connection is closed behind it.
      return503OnClosing: false,
      // Addresses of callers are taken from the connection; forwarded headers are not believed.
      trustProxy: false,
      // Nest's middleware would look at every path again, and there is none here (bench row "read an order").
      skipMiddie: true,
      clientErrorHandler: answerBroken,
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        // A path that cannot be decoded fails before any hook has run.
        this.greet(request, reply);
        void this.fail(request, reply, asDomainError(error));
        this.log(request, reply);
      },
    });
    this.prepare();
  }

  get fastify(): FastifyInstance {
    return this.adapter.getInstance() as unknown as FastifyInstance;
  }

  private prepare(): void {
    const server = this.fastify;
    server.server.maxConnections = maxConnections;
    server.decorateRequest('call');
    server.decorateRequest('startedMs', 0);
    server.decorateRequest('failureCode', '');
    server.decorateRequest('onFailure');
    server.addHook('onRoute', ({ method, url }) => this.routes.add(url, method));
    server.addHook('onRequest', (request, reply, done) => {
      this.stopping.requestBegan();
      // Comes once, also when the caller has hung up; Fastify's own hook does not run then.
      reply.raw.once('close', () => {
        this.stopping.requestEnded();
        this.log(request, reply);
      });
      this.greet(request, reply);
      if (hasSeveralHosts(request.raw.rawHeaders)) this.refuseHosts(request, reply);
      else if (request.method === 'OPTIONS') this.answerPreflight(request, reply);
      // Before the body is read: whatever it holds, nobody wants it.
      else if (request.is404) this.refuseRoute(request, reply);
      else done();
    });
    server.setErrorHandler((thrown, request, reply) => {
      const failure = asDomainError(thrown);
      if (failure.code === 'INTERNAL_ERROR')
        this.parts.logger.error({ ...logFields(request.call), err: failure }, 'a request failed');
      return this.fail(request, reply, failure);
    });
    this.bodies.addTo(server);
    takeJsonBodies(server, this.bodies);
  }

  private fail(request: FastifyRequest, reply: FastifyReply, failure: DomainError): FastifyReply {
    const style = request.routeOptions.config?.style ?? styleOfPath(request.url);
    return sendFailure(reply, failure, { style, publicUrl: this.parts.publicUrl });
  }

  private greet(request: FastifyRequest, reply: FastifyReply): void {
    const { 'x-request-id': requestId, traceparent } = request.headers;
    request.startedMs = performance.now();
    request.call = callContext({ requestId, traceparent });
    reply.headers(standingHeaders).header('x-request-id', request.call.requestId);
  }

  private answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
    const allow = this.allowed(request);
    if (allow !== '') reply.header('allow', allow);
    const wanted = request.headers['access-control-request-headers'];
    if (wanted !== undefined) reply.header('access-control-allow-headers', wanted);
    // A path that does not exist is allowed too: only so does the page that called it see the 404.
    void reply.headers(preflightHeaders).status(204).send();
  }

  private refuseHosts(request: FastifyRequest, reply: FastifyReply): void {
    const failure = new DomainError(
      'VALIDATION_ERROR',
      'The request has more than one Host header. Send exactly one.',
    );
    void this.fail(request, reply, failure);
  }

  private refuseRoute(request: FastifyRequest, reply: FastifyReply): void {
    const allow = this.allowed(request);
    if (allow !== '') reply.header('allow', allow);
    const failure =
      allow === ''
        ? new DomainError('NOT_FOUND', 'No route has this path. GET /docs lists all operations.')
        : new DomainError('METHOD_NOT_ALLOWED');
    void this.fail(request, reply, failure);
  }

  private allowed(request: FastifyRequest): string {
    const methods = this.routes.methodsOf(request.url.split('?', 1)[0]!);
    return methods.length > 0 ? [...methods, 'OPTIONS'].sort().join(', ') : '';
  }
}

/** A proxy and this server could take a request with two of them to be for different hosts (RFC 9112, section 3.2). */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Bodies stay bytes: they are read where the operation is known. */
function takeJsonBodies(server: FastifyInstance, bodies: BodyAdmission): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers;
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8';
    if (encoding.toLowerCase() !== 'identity')
      done(
        new DomainError(
          'UNSUPPORTED_MEDIA_TYPE',
          'Content-Encoding is not supported. Send the body unencoded.',
        ),
      );
    else if (!/^utf-?8$/i.test(charset))
      done(
        new DomainError(
          'UNSUPPORTED_MEDIA_TYPE',
          'The charset of Content-Type is not UTF-8. Send the body as application/json in UTF-8.',
        ),
      );
    else done(lengthProblem(bodies, request, body as Buffer), body);
  });
}

/** A body with `content-length` has been checked before it was read. */
function lengthProblem(bodies: BodyAdmission, request: FastifyRequest, body: Buffer): Error | null {
  if (request.headers['content-length'] !== undefined) return null;
  try {
    bodies.checkLength(request, body.length);
    return null;
  } catch (error) {
    return error as Error;
  }
}

// As Node names a request that has not arrived in time.
const bodyTimeout = (): Error =>
  Object.assign(new Error('The body has not arrived in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
