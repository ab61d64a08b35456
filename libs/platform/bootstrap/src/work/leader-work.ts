import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Leases } from '@tollbridge/database';
import { Connections } from '../bus/connections';
import { longestIdleMs, type PollResult } from './polling-loop';
import { WorkHints } from './work-hints';

/** Result of a job while another replica holds its lease. The job wakes when it acquires the lease. */
export const standingBy: PollResult = { kind: 'idle', idleMs: longestIdleMs };

/** Acquires leases while the app runs, and releases them after its work has ended. */
@Injectable()
export class LeaderWork implements OnApplicationBootstrap {
  constructor(
    private readonly leases: Leases,
    private readonly hints: WorkHints,
    private readonly connections: Connections,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const ending = this.hints.onLeasesReleased(() => this.leases.wake());
    this.connections.add('leases', async () => {
      ending();
      // Without the database the leases expire.
      await this.leases.stop().catch(() => undefined);
    });
    await this.leases.start();
  }
}
