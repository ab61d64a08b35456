import type { Clock } from '@tollbridge/database';

/** How often a provider lets itself be asked; without a figure, as often as anybody likes. */
export type RequestRates = Partial<Record<'mailtm' | 'agentmail' | 'resend', number>>;

/** What the providers themselves allow. AgentMail names no figure. */
export const providerRates: RequestRates = { mailtm: 8, resend: 5 };

const windowMs = 1_000;
// Of callers; a sandbox has a few.
const maxKept = 1_000;

export interface RequestTaken {
  isAllowed: boolean;
  limit: number;
  /** How many more are let in now. */
  remaining: number;
  /** Until the oldest of those that count is a second old. */
  resetMs: number;
}

/** Counts requests of each caller in the second before, so that never more are let in within any second. */
export class RequestRate {
  private readonly byCaller = new Map<string, number[]>();

  constructor(
    private readonly clock: Clock,
    private readonly limit: number | undefined,
  ) {}

  /** Undefined where nothing is counted. What is refused does not count. */
  take(caller: string): RequestTaken | undefined {
    const { limit } = this;
    if (limit === undefined) return undefined;
    const nowMs = this.clock.now();
    const recent = (this.byCaller.get(caller) ?? []).filter((atMs) => atMs > nowMs - windowMs);
    const isAllowed = recent.length < limit;
    if (isAllowed) recent.push(nowMs);
    if (this.byCaller.size >= maxKept) this.byCaller.clear();
    this.byCaller.set(caller, recent);
    return { isAllowed, limit, remaining: limit - recent.length, resetMs: recent[0]! + windowMs - nowMs };
  }
}

/** As headers say it: whole seconds, and never none. */
export const secondsOf = ({ resetMs }: RequestTaken): string =>
  String(Math.max(1, Math.ceil(resetMs / 1_000)));
