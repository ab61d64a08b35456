import type { Clock } from '@tollbridge/database';

/** Requests a second that each provider allows; unlimited without a value. */
export type RequestRates = Partial<Record<'mailtm' | 'agentmail' | 'resend', number>>;

/** Limits of the real providers. AgentMail publishes none. */
export const providerRates: RequestRates = { mailtm: 8, resend: 5 };

const windowMs = 1_000;
// Largest number of tracked callers; a sandbox has a few.
const maxCallers = 1_000;

export interface RequestTaken {
  isAllowed: boolean;
  limit: number;
  /** Remaining requests in the window. */
  remaining: number;
  /** Until the oldest counted request leaves the window. */
  resetMs: number;
}

/** Sliding window of one second for each caller: no second contains more than the limit. */
export class RequestRate {
  private readonly byCaller = new Map<string, number[]>();

  constructor(
    private readonly clock: Clock,
    private readonly limit: number | undefined,
  ) {}

  /** Undefined without a limit. Rejected requests do not count. */
  take(caller: string): RequestTaken | undefined {
    const { limit } = this;
    if (limit === undefined) return undefined;
    const nowMs = this.clock.now();
    const recent = (this.byCaller.get(caller) ?? []).filter((atMs) => atMs > nowMs - windowMs);
    const isAllowed = recent.length < limit;
    if (isAllowed) recent.push(nowMs);
    if (this.byCaller.size >= maxCallers) this.byCaller.clear();
    this.byCaller.set(caller, recent);
    return { isAllowed, limit, remaining: limit - recent.length, resetMs: recent[0]! + windowMs - nowMs };
  }
}

/** For headers: whole seconds, at least 1. */
export const secondsOf = ({ resetMs }: RequestTaken): string =>
  String(Math.max(1, Math.ceil(resetMs / 1_000)));
