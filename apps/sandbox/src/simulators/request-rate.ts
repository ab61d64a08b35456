import type { Clock } from '@tollbridge/database';

/** Requests per second that each provider allows; undefined for no limit. */
export type RequestRates = Partial<Record<'mailtm' | 'agentmail' | 'resend', number>>;

/** Limits of the real providers. AgentMail publishes none. */
export const providerRates: RequestRates = { mailtm: 8, resend: 5 };

const windowMs = 1_000;
// Maximum of tracked callers. A sandbox has only a few.
const maxCallers = 1_000;

export interface RequestTaken {
  isAllowed: boolean;
  limit: number;
  /** Remaining requests in the window. */
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  resetMs: number;
}

/** Sliding window of one second for each caller, so that no second contains more requests than the limit. */
export class RequestRate {
  private readonly byCaller = new Map<string, number[]>();

  constructor(
    private readonly clock: Clock,
    private readonly limit: number | undefined,
  ) {}

  /** Counts a request. Returns undefined without a limit. Rejected requests do not count. */
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

/** Returns whole seconds for headers, at least 1. */
export const secondsOf = ({ resetMs }: RequestTaken): string =>
  String(Math.max(1, Math.ceil(resetMs / 1_000)));
