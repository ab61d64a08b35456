import { randomUUID } from 'node:crypto';
import type { StoredResponse } from '../response-store';
import type { PaymentClaim, PaymentClaims, Unsettled } from './payment-claims';

export interface MemoryClaimsOptions {
  /** Maximum number of claims in progress. Requests above it receive 503. */
  maxRunning?: number;
  /** Maximum number of ended claims. The oldest are evicted first. */
  maxEnded?: number;
  /** Maximum size of all stored bodies together. */
  maxBytes?: number;
  /** Must be longer than the duration of any handler and the validity of any payment. */
  lifetimeMs?: number;
}

interface Running {
  resource: string;
  endsMs: number;
  unsettled: Unsettled | undefined;
}

interface Ended {
  resource: string;
  endsMs: number;
  unsettled: Unsettled | undefined;
  response: StoredResponse | undefined;
}

/** Claims in the memory of this process. A claim in progress is never evicted. */
export class MemoryClaims implements PaymentClaims {
  readonly owner: string = randomUUID();
  private readonly running = new Map<string, Running>();
  private readonly ended = new Map<string, Ended>();
  private byteLength = 0;
  private readonly maxRunning: number;
  private readonly maxEnded: number;
  private readonly maxBytes: number;
  private readonly lifetimeMs: number;

  constructor(options: MemoryClaimsOptions = {}) {
    this.maxRunning = options.maxRunning ?? 10_000;
    this.maxEnded = options.maxEnded ?? 10_000;
    this.maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
    this.lifetimeMs = options.lifetimeMs ?? 600_000;
  }

  claim(payment: string, resource: string): PaymentClaim {
    const nowMs = performance.now();
    const running = this.running.get(payment);
    if (running && running.endsMs > nowMs)
      return { status: running.resource === resource ? 'running' : 'conflict' };
    const ended = this.endedOf(payment, nowMs);
    const before = ended ?? running;
    if (before && before.resource !== resource) return { status: 'conflict' };
    if (ended && !ended.unsettled) return { status: 'settled', response: ended.response };
    if (!running && this.running.size >= this.maxRunning) this.expire(nowMs);
    if (!running && this.running.size >= this.maxRunning) return { status: 'full' };
    const unsettled = before?.unsettled;
    this.release(payment);
    this.running.set(payment, { resource, endsMs: nowMs + this.lifetimeMs, unsettled });
    return unsettled ? { status: 'unsettled', ...unsettled } : { status: 'new' };
  }

  keepUnsettled(payment: string, resource: string, unsettled: Unsettled): void {
    this.keep(payment, { resource, unsettled, response: unsettled.response });
  }

  keepSettled(payment: string, resource: string, response: StoredResponse | undefined): void {
    this.keep(payment, { resource, unsettled: undefined, response });
  }

  release(payment: string): void {
    this.running.delete(payment);
    this.drop(payment);
  }

  private keep(payment: string, entry: Omit<Ended, 'endsMs'>): void {
    this.release(payment);
    this.ended.set(payment, { ...entry, endsMs: performance.now() + this.lifetimeMs });
    this.byteLength += lengthOf(entry.response);
    for (const oldest of this.ended.keys()) {
      if (this.ended.size <= this.maxEnded && this.byteLength <= this.maxBytes) break;
      this.drop(oldest);
    }
  }

  private endedOf(payment: string, nowMs: number): Ended | undefined {
    const ended = this.ended.get(payment);
    if (!ended || ended.endsMs > nowMs) return ended;
    this.drop(payment);
    return undefined;
  }

  /** Drops expired claims. The map is sorted by start time. */
  private expire(nowMs: number): void {
    for (const [payment, { endsMs }] of this.running) {
      if (endsMs > nowMs) break;
      this.running.delete(payment);
    }
  }

  private drop(payment: string): void {
    this.byteLength -= lengthOf(this.ended.get(payment)?.response);
    this.ended.delete(payment);
  }
}

const lengthOf = (response: StoredResponse | undefined): number => response?.body.length ?? 0;
