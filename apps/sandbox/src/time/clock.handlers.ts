import { Controller, Inject } from '@nestjs/common';
import {
  clockAheadApi,
  sandboxClockApi,
  type AdvanceClockRequest,
  type ClockAheadReply,
  type SandboxClockReply,
} from '@tollbridge/contracts';
import { Clock, realTimeOf } from '@tollbridge/database';
import { DomainError, Handles } from '@tollbridge/rpc';
import { ClockRepository } from './clock.repository';
import { SandboxTime } from './sandbox-time';

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const mostAtOnceMs = 366 * unitMs.d;
/** Ten years, because certificates and tokens of local networks are valid for longer. */
const mostAheadMs = 3_660 * unitMs.d;

const invalidBy = (message: string): DomainError => DomainError.invalid([{ field: 'by', message }]);

@Controller()
@Handles(sandboxClockApi)
export class ClockHandlers {
  constructor(
    private readonly time: SandboxTime,
    private readonly repository: ClockRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async readClock(): Promise<SandboxClockReply> {
    return this.view(await this.repository.aheadMs());
  }

  async advanceClock({ by }: AdvanceClockRequest): Promise<SandboxClockReply> {
    const byMs = Number(by.slice(0, -1)) * unitMs[by.at(-1) as keyof typeof unitMs];
    if (byMs > mostAtOnceMs) throw invalidBy('must be at most 366 days');
    if (!(await this.repository.advance(byMs, mostAheadMs)))
      throw invalidBy('would be ahead by more than ten years: `npm start -- --fresh` begins again');
    return this.view(await this.time.changed());
  }

  private view(aheadMs: number): SandboxClockReply {
    return { now: new Date(realTimeOf(this.clock) + aheadMs).toISOString(), ahead_ms: aheadMs };
  }
}

@Controller()
@Handles(clockAheadApi)
export class ClockAheadHandlers {
  constructor(private readonly repository: ClockRepository) {}

  async clockAhead(): Promise<ClockAheadReply> {
    return { ahead_ms: await this.repository.aheadMs() };
  }
}
