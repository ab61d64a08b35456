import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import {
  merchantHealthApi,
  nanopayHealthApi,
  payOrdersHealthApi,
  sandboxHealthApi,
  serviceApiHealthApi,
  teeHealthApi,
  txEngineHealthApi,
  type HealthReply,
} from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { BusClient } from '@tollbridge/rpc';
import type { GatewayConfig } from '../config';

export interface ServiceHealth {
  name: string;
  status: 'up' | 'down';
  /** When this gateway first saw the current state of the service, in ISO 8601. */
  since: string;
  /** The checks of the replica that answered; absent when none answered. */
  checks?: Record<string, string>;
}

export interface ServicesHealth {
  status: 'ok' | 'unavailable';
  services: ServiceHealth[];
}

type Answer = Pick<ServiceHealth, 'status' | 'checks'>;

const operations = [
  payOrdersHealthApi.operations.readHealth,
  txEngineHealthApi.operations.readHealth,
  merchantHealthApi.operations.readHealth,
  serviceApiHealthApi.operations.readHealth,
  nanopayHealthApi.operations.readHealth,
  teeHealthApi.operations.readHealth,
];
// Requests within this time share one reply, because any client may poll.
const sharedMs = 2_000;
const streamTimeoutMs = 2_000;

/** Calls every service for its state on request only, so an idle gateway makes no calls. */
@Injectable()
export class ServicesHealthReader {
  private readonly known = new Map<string, ServiceHealth>();
  private shared: { answer: Promise<ServicesHealth>; atMs: number } | undefined;

  constructor(
    private readonly client: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'environment' | 'STREAM_URL'>,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  read(): Promise<ServicesHealth> {
    const atMs = this.clock.now();
    if (!this.shared || atMs >= this.shared.atMs + sharedMs) this.shared = { answer: this.ask(), atMs };
    return this.shared.answer;
  }

  private async ask(): Promise<ServicesHealth> {
    const isSandbox = this.config.environment === 'sandbox';
    const asked = isSandbox ? [...operations, sandboxHealthApi.operations.readHealth] : operations;
    const services = await Promise.all([
      ...asked.map(async (operation) =>
        this.note(operation.app, await this.client.call(operation, {}).then(answerOf, () => down)),
      ),
      this.stream().then((answer) => this.note('stream', answer)),
    ]);
    const isUp = services.every(({ status }) => status === 'up');
    return { status: isUp ? 'ok' : 'unavailable', services };
  }

  /** The stream app serves no bus calls, but every reply to an HTTP request shows that it runs. */
  private async stream(): Promise<Answer> {
    const signal = AbortSignal.timeout(streamTimeoutMs);
    const replies = this.config.STREAM_URL.split(',').map((url) => fetch(url, { method: 'HEAD', signal }));
    return Promise.any(replies).then(
      () => ({ status: 'up' }),
      () => down,
    );
  }

  private note(name: string, answer: Answer): ServiceHealth {
    const before = this.known.get(name);
    const since = before?.status === answer.status ? before.since : new Date(this.clock.now()).toISOString();
    const health = { name, ...answer, since };
    this.known.set(name, health);
    return health;
  }
}

const down: Answer = { status: 'down' };

const answerOf = ({ status, checks }: HealthReply): Answer => ({
  status: status === 'unavailable' ? 'down' : 'up',
  checks,
});
