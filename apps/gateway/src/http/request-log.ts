import { Inject, Injectable } from '@nestjs/common';
import { keyIdOf, traceIdOf } from '@tollbridge/rpc';
import { Metrics, observeTraced, type AccessEntry, type OpenSpan } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';

// The status that nginx logs when the client closes the connection before the reply.
const clientClosedRequest = 499;

/** Injection token of the function that writes a line of the access log. */
export const AccessLog = Symbol('AccessLog');

type Label = 'http_request_method' | 'http_route' | 'http_response_status_code';
type Timer = Histogram.Internal<Label>;

/** Records each reply once: a line in the access log, and its duration in the metrics. */
@Injectable()
export class RequestLog {
  private readonly seconds: Histogram<Label>;
  /** Timers by method, status and route. They are cached, because hashing the labels costs more than the count. */
  private readonly timers = new Map<string, Timer>();

  constructor(
    metrics: Metrics,
    @Inject(AccessLog) private readonly writeEntry: (entry: AccessEntry) => void,
  ) {
    this.seconds = metrics.tracedHistogram(
      'http_server_request_duration_seconds',
      'Time to answer an HTTP request, by the pattern of its route; 499 is a client that closed the connection',
      ['http_request_method', 'http_route', 'http_response_status_code'],
    );
  }

  write(request: FastifyRequest, reply: FastifyReply): void {
    const { method, failureCode, call, startedMs, routeOptions, span } = request;
    // The pattern instead of the path: a path contains ids, and each of them would create a time series.
    const route = routeOptions.url ?? 'none';
    const status = reply.raw.writableEnded ? reply.statusCode : clientClosedRequest;
    const elapsedMs = performance.now() - startedMs;
    if (span?.sampledTraceId === undefined) this.timerOf(method, route, status).observe(elapsedMs / 1000);
    else this.trace(span, [method, route, String(status)], elapsedMs / 1000);
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

  private trace(span: OpenSpan, [method, route, status]: [string, string, string], seconds: number): void {
    const labels = { http_request_method: method, http_route: route, http_response_status_code: status };
    observeTraced(this.seconds, labels, seconds, span.sampledTraceId!);
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': Number(status),
    };
    span.end(attributes, status >= '500' ? status : undefined);
  }

  private timerOf(method: string, route: string, status: number): Timer {
    const name = `${method} ${status} ${route}`;
    const timer = this.timers.get(name) ?? this.seconds.labels(method, route, String(status));
    this.timers.set(name, timer);
    return timer;
  }
}
