import { transactionStream } from '@tollbridge/contracts';
import { DomainError, feature, operation, type Operation } from '@tollbridge/rpc';
import { logoSvg } from '@tollbridge/chains';
import type { Metrics } from '@tollbridge/observability';
import { readiness, type ReadinessChecks } from '@tollbridge/bootstrap';
import type { FastifyInstance } from 'fastify';
import type { DocumentedRoute } from '../openapi/documented-route';

export function addHealthRoutes(server: FastifyInstance, checks: ReadinessChecks): void {
  server.get('/health/live', (_request, reply) => reply.send({ status: 'ok' }));
  server.get('/health/ready', async (_request, reply) => {
    const report = await readiness(checks);
    return reply.status(report.status === 'ok' ? 200 : 503).send(report);
  });
}

export function addMetricsRoute(server: FastifyInstance, { registry }: Metrics): void {
  server.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

class NoParameters {}

const { openStream } = feature('gateway', 'stream', 'Swaps', {
  openStream: operation({
    ...{ method: 'GET', path: transactionStream.path, auth: 'public', errors: ['UPGRADE_REQUIRED'] },
    ...{ input: NoParameters, output: NoParameters },
    ...{ summary: transactionStream.summary, operationId: 'openTransactionStream' },
    description: `A WebSocket: connect with \`ws://\` or \`wss://\`. Its messages are in /asyncapi.json. ${transactionStream.description}`,
  }),
}).operations;

/** The upgrade to the transaction stream in the document. */
export const streamRoute: DocumentedRoute = {
  tag: 'Swaps',
  operation: openStream as Operation<any, any>,
  replies: { 101: { description: 'The connection is a WebSocket from now on' } },
};

/** What is answered there to a request that does not ask for a WebSocket. */
export function addStreamRoute(server: FastifyInstance): void {
  server.get(transactionStream.path, (_request, reply) => {
    void reply.header('upgrade', 'websocket').header('connection', 'upgrade');
    throw new DomainError('UPGRADE_REQUIRED');
  });
}

export function addLogoRoutes(server: FastifyInstance): void {
  server.get('/logos/*', (request, reply) => {
    const svg = logoSvg(request.url.split('?', 1)[0]!);
    if (svg === undefined)
      throw new DomainError(
        'NOT_FOUND',
        'No logo has this path. Take the logo URLs from GET /api/v1/pay/chains.',
      );
    return reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(svg);
  });
}
