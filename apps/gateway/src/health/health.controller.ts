import { Controller, Get, Res } from '@nestjs/common';
import { readiness, Stopping } from '@tollbridge/bootstrap';
import { BusConnection, BusWatch } from '@tollbridge/rpc';
import type { FastifyReply } from 'fastify';
import { ServicesHealthReader } from './services-health';

@Controller('health')
export class HealthController {
  constructor(
    private readonly bus: BusConnection,
    private readonly busWatch: BusWatch,
    private readonly stopping: Stopping,
    private readonly services: ServicesHealthReader,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const report = await readiness({
      bus: () => this.bus.isConnected && this.busWatch.isHealthy,
      accepting: () => !this.stopping.isStopping,
    });
    void reply.status(report.status === 'ok' ? 200 : 503).send(report);
  }

  /**
   * For monitoring only. It does not affect the readiness: while one service is down, the gateway serves the routes of
   * the others.
   */
  @Get('services')
  async readServices(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.services.read();
    void reply
      .header('cache-control', 'no-store')
      .status(report.status === 'ok' ? 200 : 503)
      .send(report);
  }
}
