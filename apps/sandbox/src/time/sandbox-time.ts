import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SandboxClock, ServiceLogger } from '@tollbridge/bootstrap';
import { clockAdvancedSubject } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { BusConnection } from '@tollbridge/rpc';
import { ChainTimes } from './chain-times';
import { ClockRepository } from './clock.repository';

// Realigns the nodes periodically, because a restarted node has the time of the machine.
const alignEveryMs = 15_000;

/** Applies the stored clock to the apps and the local chains. */
@Injectable()
export class SandboxTime implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private aligning: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: ClockRepository,
    private readonly chains: ChainTimes,
    private readonly bus: BusConnection,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.align(), alignEveryMs);
    void this.changed().catch((err: unknown) => this.logger.warn({ err }, 'clock not read, retrying'));
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.aligning;
  }

  /**
   * Aligns the chains before the apps, so that no app is ahead of a chain. @returns milliseconds ahead of the real time
   */
  async changed(): Promise<number> {
    const aheadMs = await this.repository.aheadMs();
    if (this.clock instanceof SandboxClock) this.clock.setAhead(aheadMs);
    await this.align();
    if (this.bus.isConnected) this.bus.publish(clockAdvancedSubject, new Uint8Array());
    return aheadMs;
  }

  /** Sequential, because two concurrent runs would both add the missing time. */
  private align(): Promise<void> {
    this.aligning = this.aligning
      .then(async () => {
        // Without an offset, the nodes follow the real time.
        if ((await this.repository.aheadMs()) > 0) await this.chains.align();
      })
      .catch((err: unknown) => this.logger.warn({ err }, 'time of a chain not advanced, retrying'));
    return this.aligning;
  }
}
