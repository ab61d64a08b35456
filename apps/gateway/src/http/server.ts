import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { callContext, DomainError, logFields } from '@tollbridge/bus';
import { logoSvg } from '@tollbridge/chains';
import { createAccessLogger, type Logger, type Metrics } from '@tollbridge/observability';
import { readiness, type ReadinessChecks } from '@tollbridge/service';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { asDomainError, sendFailure, styleOf } from './render';

const bodyLimitBytes = 256 * 1024;
// A slow sender must not hold a connection for longer than a reply may take.
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 65_000;
const exposedHeaders = [
  'x-request-id',
  'retry-after',
  'idempotent-replayed',
  'payment-required',
  'payment-response',
];

export function createAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    routerOptions: { maxParamLength: 256, caseSensitive: true, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // Addresses of callers are taken from the connection; forwarded headers are not believed.
    trustProxy: false,
    frameworkErrors: (error: Error, request: { url: string }, reply: unknown) => {
      // An address that cannot be decoded fails before any hook has run.
      const answer = (reply as FastifyReply).header('x-request-id', callContext().requestId);
      void sendFailure(answer, styleOf(request.url), asDomainError(error));
    },
  });
}

/** What holds for every reply: ids, headers, logs, metrics, errors in our form. */
export async function prepareServer(
  server: FastifyInstance,
  logger: Logger,
  metrics: Metrics,
): Promise<void> {
  const seconds = metrics.histogram('tollbridge_http_seconds', 'Time to answer an HTTP request', [
    'method',
    'route',
    'status',
  ]);
  const access = createAccessLogger('gateway');
  server.decorateRequest('call');
  server.addHook('onRequest', (request, reply, done) => {
    const { 'x-request-id': requestId, traceparent } = request.headers;
    request.call = callContext({ requestId, traceparent });
    reply.header('x-request-id', request.call.requestId);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    seconds.observe({ method: request.method, route, status: String(status) }, reply.elapsedTime / 1000);
    const fields = {
      ...logFields(request.call),
      method: request.method,
      route,
      status,
      ms: Math.round(reply.elapsedTime * 100) / 100,
    };
    if (status === 500) access.error(fields, 'request');
    else access.info(fields, 'request');
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    const failure = asDomainError(error);
    if (failure.status >= 500) logger.error({ ...logFields(request.call), err: failure }, 'a request failed');
    return sendFailure(reply, styleOf(request.url), failure);
  });
  // Bodies stay bytes: they are read where the operation is known.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
  // The API is public and carries no cookies, so a browser on any site may call it.
  await server.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders,
    maxAge: 86_400,
  });
}

export function addHealthRoutes(server: FastifyInstance, checks: ReadinessChecks): void {
  server.get('/health/live', (_request, reply) => reply.send({ status: 'ok' }));
  server.get('/health/ready', async (_request, reply) => {
    const report = await readiness(checks);
    return reply.status(report.status === 'ok' ? 200 : 503).send(report);
  });
}

export function addLogoRoutes(server: FastifyInstance): void {
  server.get('/logos/*', (request, reply) => {
    const svg = logoSvg(request.url.split('?', 1)[0]!);
    if (svg === undefined) throw new DomainError('NOT_FOUND', 'There is no such picture.');
    return reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(svg);
  });
}
