import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { FoundBefore, PurchaseKind, PurchaseRequest } from '../../purchases/purchase-kind';
import type { Progress } from '../../purchases/purchase';
import { SmsRepository } from '../sms.repository';
import { Activations } from './activations';
import { countryOfNumber, numberOfCountry } from '../sms-activate/countries';
import { sameMoment } from './same-moment';
import {
  numberLifeMs,
  VirtualNumbers,
  type ActivationState,
  type ListedNumber,
  type NumberTerms,
  type StoredNumberTerms,
} from './virtual-numbers';

/** Stored with purchases, so they must never change. */
export const numberKinds = ['sms-number', 'sms-number-and-wait'] as const;

// How long the provider may still process a request after the lease.
const settleMs = 30_000;
// After this time every provider has refunded an unused number.
const surelyOverMs = numberLifeMs + 5 * 60_000;

/** A number that is rented for one code. The provider refunds it after 20 minutes without a code. */
@Injectable()
export class NumberKind<Terms extends NumberTerms = NumberTerms> implements PurchaseKind<Terms> {
  readonly kind: (typeof numberKinds)[number] = 'sms-number';
  readonly spend = 'purchase' as const;
  readonly settleMs = settleMs;

  constructor(
    @Inject(VirtualNumbers) protected readonly numbers: VirtualNumbers,
    private readonly activations: Activations,
    protected readonly repository: SmsRepository,
    @Inject(Clock) protected readonly clock: Clock,
  ) {}

  async buy(
    { service, country }: Terms,
    _reference: string,
    { valueUsd }: PurchaseRequest,
  ): Promise<Progress> {
    if (valueUsd === null) throw new Error('a number cannot be rented without a known price');
    const { activationId, number } = await this.numbers.rent({ service, country }, valueUsd);
    return { status: 'pending', providerId: activationId, result: { number } };
  }

  async find(reference: string, terms: StoredNumberTerms, known: FoundBefore): Promise<Progress | undefined> {
    const ageMs = this.clock.now() - known.askedAtMs;
    if (known.providerId === null) return this.findLost(reference, terms, known, ageMs);
    const state = await this.activations.state(known.providerId);
    return { status: progressOf(state, ageMs), providerId: known.providerId };
  }

  /**
   * Finds the number of a lost reply. The protocol has no reference, so the number is the only unassigned one with
   * these terms and this time. If another purchase with a lost reply has the same terms, the result is ambiguous.
   */
  private async findLost(
    reference: string,
    { service, country: stored }: StoredNumberTerms,
    { askedAtMs }: FoundBefore,
    ageMs: number,
  ): Promise<Progress | undefined> {
    // The client never received the number, so no code arrived and the provider has refunded it.
    if (ageMs > surelyOverMs) return { status: 'refunded', providerId: null };
    const country = typeof stored === 'number' ? countryOfNumber(stored) : stored;
    if (country === undefined) throw new Error('the country of this purchase is unknown to the protocol');
    const listed = await this.activations.all();
    if (!listed) throw new Error('the provider has no list of numbers');
    const alike = listed.filter((it) => it.service === service && it.country === country);
    // Counted before the owned ids are read, so that a concurrent purchase appears in at least one of the two results.
    const countries = new Set([country, stored, numberOfCountry(country) ?? country]);
    const alikeTerms = [...countries].map((it) => ({ service, country: it }));
    const isAlone = (await this.repository.countUnknown(numberKinds, reference, alikeTerms)) === 0;
    const owned = await this.repository.ownedIds(
      numberKinds,
      alike.map((it) => it.activationId),
    );
    const free = alike.filter((it) => !owned.has(it.activationId) && it.state.status === 'waiting');
    if (free.length === 0) return undefined;
    const [one] = free;
    if (free.length > 1 || !isAlone || !this.isOfThen(one!, askedAtMs))
      throw new Error('the lost number is ambiguous: the provider stores no reference');
    return { status: 'pending', providerId: one!.activationId, result: { number: one!.number } };
  }

  private isOfThen({ rentedAtMs }: ListedNumber, askedAtMs: number): boolean {
    return sameMoment(rentedAtMs, askedAtMs);
  }
}

/** A number for a client that waits for the code. Without a code, it is returned to the provider. */
@Injectable()
export class AwaitedNumberKind extends NumberKind<NumberTerms & { waitSeconds: number }> {
  override readonly kind = 'sms-number-and-wait';

  override async buy(
    terms: NumberTerms & { waitSeconds: number },
    reference: string,
    request: PurchaseRequest,
  ): Promise<Progress> {
    // The return is planned before the rental, so that the number is also returned after a crash.
    const atMs = returnAtMs(this.clock.now(), terms.waitSeconds);
    await this.repository.planReturn(reference, atMs).catch((cause: unknown) => {
      // Nothing was rented.
      throw new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
    });
    return super.buy(terms, reference, request);
  }
}

/** Longer than the overhead of a waiting call, so that the call itself returns its number. */
const waiterMs = 45_000;

/** Returns the time when the number of a waiting call is returned to the provider. */
export const returnAtMs = (nowMs: number, waitSeconds: number): number =>
  nowMs + waitSeconds * 1_000 + waiterMs;

function progressOf({ status }: ActivationState, ageMs: number): Progress['status'] {
  switch (status) {
    case 'received':
      return 'completed';
    case 'cancelled':
      return 'refunded';
    case 'waiting':
      return 'pending';
    case 'gone':
      // The provider does not have the number. It counts as used, so that no budget is released by mistake.
      return ageMs > surelyOverMs ? 'completed' : 'pending';
  }
}
