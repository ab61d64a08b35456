import { keyIdOf, logFields } from '@tollbridge/bus';
import type { Logger, Metrics } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';

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
  const timerOf = remembered((method, route, status) => seconds.labels(method, route, String(status)));
  return (request, reply) => {
    const { method, failureCode: code } = request;
    // The pattern, not the path: a path holds ids, and every id would be a time series of its own.
    const route = request.routeOptions.url ?? 'none';
    const status = reply.raw.writableEnded ? reply.statusCode : hungUp;
    const elapsedMs = performance.now() - request.startedMs;
    timerOf(method, route, status).observe(elapsedMs / 1000);
    const ms = Math.round(elapsedMs * 100) / 100;
    const key = keyIdOf(request.call);
    const told = { ...(code && { code }), ...(key && { key }) };
    const fields = { ...logFields(request.call), method, route, status, ms, ...told };
    if (status === 500) lines.error(fields, 'request');
    else if (status > 500) lines.warn(fields, 'request');
    else lines.info(fields, 'request');
  };
}

type TimerOf = (
  method: string,
  route: string,
  status: number,
) => Histogram.Internal<'method' | 'route' | 'status'>;

/** The metric of each route and status is looked up once: to hash its labels costs more than to count. */
function remembered(timerOf: TimerOf): TimerOf {
  const known = new Map<string, ReturnType<TimerOf>>();
  return (method, route, status) => {
    const name = `${method} ${status} ${route}`;
    const timer = known.get(name) ?? timerOf(method, route, status);
    known.set(name, timer);
    return timer;
  };
}
