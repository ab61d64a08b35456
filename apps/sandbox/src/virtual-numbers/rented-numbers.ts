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
  /** Arrival time of the code; null for never. */
  codeAtMs: number | null;
  cancelledAtMs: number | null;
  finishedAtMs: number | null;
}

export type NumberState = 'waiting' | 'received' | 'cancelled';
export type CancelAnswer = 'cancelled' | 'already' | 'tooEarly' | 'received';

const lifeMs = 20 * 60_000;
// Maximum of stored rentals, including ended ones.
const maxRentals = 20_000;

/** An account at a provider of numbers, with rentals, codes and costs. Each simulator has one. */
export class RentedNumbers {
  codeAfterMs = 4_000;
  /** Time until a number can be cancelled. */
  earliestCancelMs = 120_000;
  balanceMicros = 1_000_000_000_000n;
  private readonly byId = new Map<number, RentedNumber>();
  private nextId: number;

  constructor(private readonly clock: Clock) {
    // The ids start at the time, so that ids of an earlier run are not reused.
    this.nextId = clock.now();
  }

  /** Returns undefined when the balance is too low. */
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
    if (this.byId.size > maxRentals) this.byId.delete(this.byId.keys().next().value!);
    return rented;
  }

  find(id: number): RentedNumber | undefined {
    return this.byId.get(id);
  }

  /** Returns rentals, newest first. */
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
    this.refund(rented, rented.rentedAtMs + lifeMs);
    return 'cancelled';
  }

  cancel(rented: RentedNumber): CancelAnswer {
    const state = this.stateOf(rented);
    if (state === 'received') return 'received';
    if (state === 'cancelled') return 'already';
    if (this.clock.now() < rented.rentedAtMs + this.earliestCancelMs) return 'tooEarly';
    this.refund(rented, this.clock.now());
    return 'cancelled';
  }

  finish(rented: RentedNumber): void {
    rented.finishedAtMs ??= this.clock.now();
  }

  private refund(rented: RentedNumber, atMs: number): void {
    rented.cancelledAtMs = atMs;
    this.balanceMicros += rented.service.priceMicros;
  }
}
