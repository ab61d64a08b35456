import { Inject, Injectable } from '@nestjs/common';
import { keyIdOf, traceIdOf } from '@tollbridge/rpc';
import { Metrics, type AccessEntry } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';

// As nginx logs it: the client closed the connection before there was a reply.
const clientClosedRequest = 499;

/** Injection token: writes a line of the access log. */
export const AccessLog = Symbol('AccessLog');

type Timer = Histogram.Internal<'method' | 'route' | 'status'>;

/** Records each reply once: a line in the access log, and its time in the metrics. */
@Injectable()
export class RequestLog {
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;
  /** By method, status and route: hashing the labels costs more than the count. */
  private readonly timers = new Map<string, Timer>();

  constructor(
    metrics: Metrics,
    @Inject(AccessLog) private readonly writeEntry: (entry: AccessEntry) => void,
  ) {
    this.seconds = metrics.histogram('tollbridge_http_seconds', 'Time to answer an HTTP request', [
      'method',
      'route',
      'status',
    ]);
  }

  write({ method, failureCode, call, startedMs, routeOptions }: FastifyRequest, reply: FastifyReply): void {
    // The pattern, not the path: a path contains ids, and each would be a separate time series.
    const route = routeOptions.url ?? 'none';
    const status = reply.raw.writableEnded ? reply.statusCode : clientClosedRequest;
    const elapsedMs = performance.now() - startedMs;
    this.timerOf(method, route, status).observe(elapsedMs / 1000);
    this.writeEntry({
      level: status === 500 ? 'error' : status > 500 ? 'warn' : 'info',
      requestId: call.requestId,
      traceId: traceIdOf(call),
      method,
      route,
      status,
      ms: Math.round(elapsedMs * 100) / 100,
      code: failureCode,
      key: keyIdOf(call),
    });
  }

  private timerOf(method: string, route: string, status: number): Timer {
    const name = `${method} ${status} ${route}`;
    const timer = this.timers.get(name) ?? this.seconds.labels(method, route, String(status));
    this.timers.set(name, timer);
    return timer;
  }
}
