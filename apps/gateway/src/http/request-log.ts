import { keyIdOf, logFields } from '@tollbridge/bus';
import type { Logger, Metrics } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';

// As others count it: the caller was gone before there was an answer.
const hungUp = 499;

/**
 * Answers what notes each reply once: a line in the log, and its time in the metrics.
 * @param lines a logger that does not search its lines for secrets: these hold the fields below only.
 */
export function requestLog(
  lines: Logger,
  metrics: Metrics,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const seconds = metrics.histogram('tollbridge_http_seconds', 'Time to answer an HTTP request', [
    'method',
    'route',
    'status',
  ]);
  return (request, reply) => {
    const { method, failureCode: code } = request;
    // The pattern, not the path: a path holds ids, and every id would be a time series of its own.
    const route = request.routeOptions.url ?? 'none';
    const status = reply.raw.writableEnded ? reply.statusCode : hungUp;
    const elapsedMs = performance.now() - request.startedMs;
    seconds.observe({ method, route, status: String(status) }, elapsedMs / 1000);
    const ms = Math.round(elapsedMs * 100) / 100;
    const key = keyIdOf(request.call);
    const told = { ...(code && { code }), ...(key && { key }) };
    const fields = { ...logFields(request.call), method, route, status, ms, ...told };
    if (status === 500) lines.error(fields, 'request');
    else if (status > 500) lines.warn(fields, 'request');
    else lines.info(fields, 'request');
  };
}
