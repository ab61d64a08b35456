import { randomBytes } from 'node:crypto';
import {
  channelToken,
  confirmationIdOf,
  hashed,
  maxHashesPerPayment,
  type ChannelOffer,
} from '@tollbridge/nanopay-protocol';
import type { Payable } from '../payable';
import { signOpening, type SignedPayload } from '../payer';
import type { PaymentSigner } from '../payment-signer';

/** A channel of a buyer, for its account. */
export interface BuyerChannelState {
  /** Confirmation id of the payment that opened it. */
  id: string;
  /** `POST /cancel` with it closes the channel after the notice. 64 hexadecimal digits. */
  nonce: string;
  seller: string;
  reserved: string;
  /** The most that the seller can charge: what was revealed. */
  spent: string;
  /** Unix seconds. */
  end: string;
}

/** One channel: it reveals its links in order, one request at a time. */
export class BuyerChannel {
  // Printing a buyer must not reveal links.
  readonly #links: Buffer[];
  private readonly nonce = randomBytes(32);
  private readonly length: number;
  private id: string | undefined;
  /** The last link that the seller has accepted, and the last one that it has seen. */
  private used = 0;
  private revealed = 0;
  private opening: { payment: ChannelPayment; untilMs: number } | undefined;
  private inUse: Promise<unknown> = Promise.resolve();
  /** Requests that use or wait for the channel. */
  waiting = 0;

  constructor(
    private readonly payable: Payable,
    private readonly owner: string,
    private readonly unitAtomic: bigint,
    length: number,
    private readonly endS: bigint,
    /** Releases the reservation in the budget, except what is charged. */
    readonly charged: (chargedAtomic: bigint) => void,
  ) {
    this.length = length;
    const links = [randomBytes(32)];
    while (links.length <= length) links.push(hashed(links.at(-1)!, 1));
    // That of index 0 is the anchor.
    this.#links = links.reverse();
  }

  get isOpen(): boolean {
    return this.id !== undefined;
  }

  get state(): BuyerChannelState {
    return {
      id: this.id ?? '',
      nonce: this.nonce.toString('hex'),
      seller: this.payable.to,
      reserved: (this.unitAtomic * BigInt(this.length)).toString(),
      spent: this.spentAtomic.toString(),
      end: this.endS.toString(),
    };
  }

  get spentAtomic(): bigint {
    return this.unitAtomic * BigInt(this.revealed);
  }

  /** Whether it can pay this price of this seller now. */
  canPay(
    { to, verifyingContract, asset, amountAtomic }: Payable,
    { owner, former = [] }: ChannelOffer,
    nowMs: number,
  ): boolean {
    const isSame =
      to === this.payable.to &&
      verifyingContract === this.payable.verifyingContract &&
      asset === this.payable.asset;
    const units = this.unitsOf(amountAtomic);
    const isOwner = owner === this.owner || (this.isOpen && former.includes(this.owner));
    if (!isSame || !isOwner || units === 0) return false;
    return this.used + units <= this.length && !this.hasEnded(nowMs);
  }

  hasEnded(nowMs: number): boolean {
    return nowMs >= Number(this.endS) * 1_000 - marginMs;
  }

  /** What the price is in links; 0 if it cannot be paid by them. */
  private unitsOf(amountAtomic: bigint): number {
    const units = amountAtomic / this.unitAtomic;
    const isWhole = units * this.unitAtomic === amountAtomic && units <= BigInt(maxHashesPerPayment);
    return isWhole ? Number(units) : 0;
  }

  /** The header of the next payment, or the payload that opens the channel. It repeats itself until `accepted`. */
  async next(signer: PaymentSigner, amountAtomic: bigint, nowMs: number): Promise<ChannelPayment> {
    const index = this.used + this.unitsOf(amountAtomic);
    this.revealed = Math.max(this.revealed, index);
    const link = this.#links[index]!;
    if (this.id !== undefined) return { index, token: channelToken({ id: this.id, index, link }) };
    // Signed once while it is valid: with other times it would be another channel.
    const { opening } = this;
    if (opening?.payment.index === index && nowMs < opening.untilMs) return opening.payment;
    const { unitAtomic, length, endS, owner, payable, nonce } = this;
    const channel = { unitAtomic, length, anchor: this.#links[0]!, endS, index, link, owner };
    const reserved = { ...payable, amountAtomic: unitAtomic * BigInt(length) };
    const { payload, digest } = await signOpening(signer, reserved, channel, { nonce, nowMs });
    const payment = { index, payload, id: confirmationIdOf(digest) };
    this.opening = { payment, untilMs: nowMs + payable.maxTimeoutS * 1_000 };
    return payment;
  }

  /** The seller has accepted the link of this payment. */
  accepted({ index, id }: ChannelPayment): void {
    this.used = Math.max(this.used, index);
    this.id ??= id;
  }

  /** The seller says which link was the last. It cannot be one that it has not seen. False if this explains nothing. */
  skipTo({ id }: ChannelPayment, index: unknown): boolean {
    if (typeof index !== 'number' || !Number.isInteger(index) || index <= this.used) return false;
    if (index > this.revealed) return false;
    this.used = index;
    this.id ??= id;
    return true;
  }

  /** One payment after the other. */
  inTurn<T>(pay: () => Promise<T>): Promise<T> {
    this.waiting++;
    const turn = this.inUse.then(pay, pay).finally(() => this.waiting--);
    this.inUse = turn.catch(() => undefined);
    return turn;
  }
}

export interface ChannelPayment {
  index: number;
  /** Token of an open channel. */
  token?: string;
  /** Signed payload that opens a channel. */
  payload?: SignedPayload;
  id?: string;
}

/** The seller stops a minute before the end. */
const marginMs = 90_000;
