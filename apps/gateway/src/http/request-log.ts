import { keyIdOf, traceIdOf } from '@tollbridge/rpc';
import type { AccessEntry, Metrics } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';

// As others count it: the caller was gone before there was an answer.
const hungUp = 499;

/** Answers what notes each reply once: a line in the access log, and its time in the metrics. */
export function requestLog(
  write: (entry: AccessEntry) => void,
  metrics: Metrics,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const seconds = metrics.histogram('tollbridge_http_seconds', 'Time to answer an HTTP request', [
    'method',
    'route',
    'status',
  ]);
  const timerOf = remembered((method, route, status) => seconds.labels(method, route, String(status)));
  return ({ method, failureCode: code, call, startedMs, routeOptions }, reply) => {
    // The pattern, not the path: a path holds ids, and every id would be a time series of its own.
    const route = routeOptions.url ?? 'none';
    const status = reply.raw.writableEnded ? reply.statusCode : hungUp;
    const elapsedMs = performance.now() - startedMs;
    timerOf(method, route, status).observe(elapsedMs / 1000);
    write({
      level: status === 500 ? 'error' : status > 500 ? 'warn' : 'info',
      requestId: call.requestId,
      traceId: traceIdOf(call),
      method,
      route,
      status,
      ms: Math.round(elapsedMs * 100) / 100,
      code,
      key: keyIdOf(call),
    });
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
