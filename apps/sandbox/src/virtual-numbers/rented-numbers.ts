import type { Clock } from '@tollbridge/database';
import { randomInt } from 'node:crypto';
import type { Country, Service } from './offers';

export interface RentedNumber {
  id: number;
  phone: string;
  service: Service;
  country: Country;
  rentedAtMs: number;
  code: string;
  /** When the code arrives; null for never. */
  codeAtMs: number | null;
  cancelledAtMs: number | null;
  finishedAtMs: number | null;
}

export type NumberState = 'waiting' | 'received' | 'cancelled';
export type CancelAnswer = 'cancelled' | 'already' | 'tooEarly' | 'received';

const lifeMs = 20 * 60_000;
// Some are kept for reading after they have ended; nobody looks for more.
const maxKept = 20_000;

/** The account of a provider of numbers: what was rented, what came, and what it costs. One for each simulator. */
export class RentedNumbers {
  codeAfterMs = 4_000;
  /** Before that, a number is not taken back. */
  earliestCancelMs = 120_000;
  balanceMicros = 1_000_000_000_000n;
  private readonly byId = new Map<number, RentedNumber>();
  private nextId: number;

  constructor(private readonly clock: Clock) {
    // Ids of a former run do not come again.
    this.nextId = clock.now();
  }

  /** Undefined where there is not money enough. */
  rent(service: Service, country: Country): RentedNumber | undefined {
    if (this.balanceMicros < service.priceMicros) return undefined;
    this.balanceMicros -= service.priceMicros;
    const nowMs = this.clock.now();
    const rented: RentedNumber = {
      id: this.nextId++,
      service,
      country,
      rentedAtMs: nowMs,
      phone: country.prefix + String(randomInt(10 ** country.digits)).padStart(country.digits, '0'),
      code: String(randomInt(1_000_000)).padStart(6, '0'),
      codeAtMs: service.behaviour === 'silent' ? null : nowMs + this.codeAfterMs,
      cancelledAtMs: null,
      finishedAtMs: null,
    };
    this.byId.set(rented.id, rented);
    if (this.byId.size > maxKept) this.byId.delete(this.byId.keys().next().value!);
    return rented;
  }

  find(id: number): RentedNumber | undefined {
    return this.byId.get(id);
  }

  /** Newest first. */
  all(): RentedNumber[] {
    return [...this.byId.values()].reverse();
  }

  isActive(rented: RentedNumber): boolean {
    const isOver = this.clock.now() >= rented.rentedAtMs + lifeMs || rented.finishedAtMs !== null;
    return !isOver && this.stateOf(rented) !== 'cancelled';
  }

  stateOf(rented: RentedNumber): NumberState {
    const nowMs = this.clock.now();
    if (rented.cancelledAtMs !== null) return 'cancelled';
    if (rented.codeAtMs !== null && nowMs >= rented.codeAtMs) return 'received';
    if (nowMs < rented.rentedAtMs + lifeMs) return 'waiting';
    this.giveBack(rented, rented.rentedAtMs + lifeMs);
    return 'cancelled';
  }

  cancel(rented: RentedNumber): CancelAnswer {
    const state = this.stateOf(rented);
    if (state === 'received') return 'received';
    if (state === 'cancelled') return 'already';
    if (this.clock.now() < rented.rentedAtMs + this.earliestCancelMs) return 'tooEarly';
    this.giveBack(rented, this.clock.now());
    return 'cancelled';
  }

  finish(rented: RentedNumber): void {
    rented.finishedAtMs ??= this.clock.now();
  }

  private giveBack(rented: RentedNumber, atMs: number): void {
    rented.cancelledAtMs = atMs;
    this.balanceMicros += rented.service.priceMicros;
  }
}
