import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Metrics } from '@tollbridge/observability';
import { fastifyOf } from '../http/gateway-adapter';
import { RouteTable } from '../routes/route-table';
import { metricsRoute } from './health.routes';

/** `GET /metrics` in the environments that declare this route. A controller would be registered in all environments. */
@Injectable()
export class MetricsRoute implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly table: RouteTable,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    if (!this.table.has(metricsRoute)) return;
    fastifyOf(this.host).get('/metrics', async (request, reply) => {
      const { contentType, text } = await this.metrics.exposition(request.headers.accept);
      return reply.type(contentType).send(text);
    });
  }
}
