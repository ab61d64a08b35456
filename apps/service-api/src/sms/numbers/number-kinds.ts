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
  type NumberWish,
  type StoredWish,
} from './virtual-numbers';

/** Stored purchases are known by these, for ever. */
export const numberKinds = ['sms-number', 'sms-number-and-wait'] as const;

// What the provider may still be doing after the lease of a purchase has ended.
const settleMs = 30_000;
// By then every provider has given back what nobody used.
const surelyOverMs = numberLifeMs + 5 * 60_000;

/** A number that is rented for one code; without one it is given back by its provider after 20 minutes. */
@Injectable()
export class NumberKind<Terms extends NumberWish = NumberWish> implements PurchaseKind<Terms> {
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

  async find(reference: string, terms: StoredWish, known: FoundBefore): Promise<Progress | undefined> {
    const ageMs = this.clock.now() - known.askedAtMs;
    if (known.providerId === null) return this.findLost(reference, terms, known, ageMs);
    const state = await this.activations.state(known.providerId);
    return { status: progressOf(state, ageMs), providerId: known.providerId };
  }

  /**
   * The protocol takes no reference. What the account has rented, on these terms and at that time, and belongs to nobody,
   * is this one if there is but one, and nobody else lost such an answer.
   */
  private async findLost(
    reference: string,
    { service, country: stored }: StoredWish,
    { askedAtMs }: FoundBefore,
    ageMs: number,
  ): Promise<Progress | undefined> {
    // Its number was told to nobody, so no code was received: rented or not, it costs nothing any more.
    if (ageMs > surelyOverMs) return { status: 'refunded', providerId: null };
    const country = typeof stored === 'number' ? countryOfNumber(stored) : stored;
    if (country === undefined) throw new Error('the country of this purchase has no name in the protocol');
    const listed = await this.activations.all();
    if (!listed) throw new Error('the provider has no list in which a number could be found');
    const alike = listed.filter((it) => it.service === service && it.country === country);
    // Before it is asked which are owned: whoever gets his number in between is counted here, or owns it there.
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
      throw new Error('which number it is cannot be told: the provider takes no reference');
    return { status: 'pending', providerId: one!.activationId, result: { number: one!.number } };
  }

  private isOfThen({ rentedAtMs }: ListedNumber, askedAtMs: number): boolean {
    return sameMoment(rentedAtMs, askedAtMs);
  }
}

/** One whose buyer waits for the code: it is given back when none comes. */
@Injectable()
export class AwaitedNumberKind extends NumberKind<NumberWish & { waitSeconds: number }> {
  override readonly kind = 'sms-number-and-wait';

  override async buy(
    terms: NumberWish & { waitSeconds: number },
    reference: string,
    request: PurchaseRequest,
  ): Promise<Progress> {
    // Before anything is rented: whoever dies from here on, the number is given back.
    const atMs = returnAtMs(this.clock.now(), terms.waitSeconds);
    await this.repository.planReturn(reference, atMs).catch((cause: unknown) => {
      // Surely nothing was rented.
      throw new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
    });
    return super.buy(terms, reference, request);
  }
}

/** Above what a waiting call takes beside its waiting, so that the return is its own while it lives. */
const waiterMs = 45_000;

/** When a number is given back that a call waits for. */
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
      // Forgotten without a word: it counts as used, so that no budget is given back by mistake.
      return ageMs > surelyOverMs ? 'completed' : 'pending';
  }
}
