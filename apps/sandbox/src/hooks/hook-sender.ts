import type { Clock } from '@tollbridge/database';
import { setTimeout as pause } from 'node:timers/promises';
import type { HookHeaders } from './hook-signatures';

/** A message to one URL. */
export interface Hook {
  url: string;
  contentType: string;
  body: string;
  /** Called for each attempt, because the signature contains the time. */
  headersAt(nowMs: number): HookHeaders;
}

export interface HookSenderOptions {
  clock: Clock;
  timeoutMs?: number;
  firstPauseMs?: number;
}

// Receivers respond immediately, so no test loses webhooks beyond this limit.
const maxWaiting = 1_000;
const maxAttempts = 4;
const [defaultTimeoutMs, defaultFirstPauseMs] = [3_000, 250];
const pollIntervalMs = 50;

/**
 * Sends the webhooks of one provider sequentially, in the order of their due times, with several attempts each. The
 * queue is limited and in memory: a restart loses it, which receivers of webhooks must expect.
 */
export class HookSender {
  /** Results, for tests and inspection. */
  readonly counts = { delivered: 0, givenUp: 0, dropped: 0 };
  private readonly waiting: { atMs: number; hook: Hook }[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: HookSenderOptions) {}

  /** @param atMs due time by the clock; the default is now */
  send(hook: Hook, atMs = this.options.clock.now()): void {
    if (this.stopping.signal.aborted) return;
    if (this.waiting.length >= maxWaiting) return void this.counts.dropped++;
    // Inserted after webhooks with the same due time.
    const place = this.waiting.findLastIndex((other) => other.atMs <= atMs) + 1;
    this.waiting.splice(place, 0, { atMs, hook });
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    // Deferred, so that the response of the current call is sent first.
    await this.pause(0);
    while (this.waiting.length > 0 && !signal.aborted) {
      const next = this.waiting[0]!;
      if (next.atMs > this.options.clock.now()) {
        await this.pause(pollIntervalMs);
        continue;
      }
      this.waiting.shift();
      await this.deliver(next.hook);
    }
  }

  private async deliver(hook: Hook): Promise<void> {
    const { firstPauseMs = defaultFirstPauseMs } = this.options;
    for (let attempt = 0; attempt < maxAttempts && !this.stopping.signal.aborted; attempt++) {
      if (attempt > 0) await this.pause(firstPauseMs * 2 ** (attempt - 1));
      if (await this.attempt(hook)) return void this.counts.delivered++;
    }
    this.counts.givenUp++;
  }

  /** Returns whether the receiver accepted the webhook with a 2xx status. */
  private async attempt({ url, contentType, body, headersAt }: Hook): Promise<boolean> {
    const { clock, timeoutMs = defaultTimeoutMs } = this.options;
    try {
      const reply = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: { 'content-type': contentType, ...headersAt(clock.now()) },
        signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(timeoutMs)]),
      });
      // The response body is irrelevant.
      await reply.body?.cancel();
      return reply.ok;
    } catch {
      return false;
    }
  }

  private async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}
