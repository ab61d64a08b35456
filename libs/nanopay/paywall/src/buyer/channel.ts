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

/** The state of a buyer's channel. */
export interface BuyerChannelState {
  /** Confirmation id of the payment that opened the channel. */
  id: string;
  /** 64 hexadecimal digits. `POST /cancel` with this nonce closes the channel after the notice period. */
  nonce: string;
  seller: string;
  reserved: string;
  /** The most that the seller can charge: the value of the revealed links. */
  spent: string;
  /** Unix seconds. */
  end: string;
}

/** A channel. It reveals its links in order, for one request at a time. */
export class BuyerChannel {
  // A private field, so that printing a buyer does not reveal links.
  readonly #links: Buffer[];
  private readonly nonce = randomBytes(32);
  private readonly length: number;
  private id: string | undefined;
  /** Index of the last link that the seller has accepted. `revealed` is the index of the last link that was sent. */
  private used = 0;
  private revealed = 0;
  private opening: { payment: ChannelPayment; untilMs: number } | undefined;
  private inUse: Promise<unknown> = Promise.resolve();
  /** Number of requests that use the channel or wait for it. */
  waiting = 0;

  constructor(
    private readonly payable: Payable,
    private readonly owner: string,
    private readonly unitAtomic: bigint,
    length: number,
    private readonly endS: bigint,
    /** Releases the reservation in the budget, except the charged amount. */
    readonly charged: (chargedAtomic: bigint) => void,
  ) {
    this.length = length;
    const links = [randomBytes(32)];
    while (links.length <= length) links.push(hashed(links.at(-1)!, 1));
    // The link of index 0 is the anchor.
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

  /** Whether the channel can pay this price of this seller now. */
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

  /** Returns the price in links, or 0 if links cannot pay it. */
  private unitsOf(amountAtomic: bigint): number {
    const units = amountAtomic / this.unitAtomic;
    const isWhole = units * this.unitAtomic === amountAtomic && units <= BigInt(maxHashesPerPayment);
    return isWhole ? Number(units) : 0;
  }

  /**
   * Returns the token of the next payment, or the signed payload that opens the channel. Returns the same link until
   * `accepted`.
   */
  async next(signer: PaymentSigner, amountAtomic: bigint, nowMs: number): Promise<ChannelPayment> {
    const index = this.used + this.unitsOf(amountAtomic);
    this.revealed = Math.max(this.revealed, index);
    const link = this.#links[index]!;
    if (this.id !== undefined) return { index, token: channelToken({ id: this.id, index, link }) };
    // Reuse the signed opening while it is valid, because different times would open a different channel.
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

  /** Records that the seller has accepted the link of this payment. */
  accepted({ index, id }: ChannelPayment): void {
    this.used = Math.max(this.used, index);
    this.id ??= id;
  }

  /**
   * Skips to the last link that the seller reports as used. Returns false unless this link is revealed and newer than
   * `used`.
   */
  skipTo({ id }: ChannelPayment, index: unknown): boolean {
    if (typeof index !== 'number' || !Number.isInteger(index) || index <= this.used) return false;
    if (index > this.revealed) return false;
    this.used = index;
    this.id ??= id;
    return true;
  }

  /** Runs one payment after the other. */
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

/** Stops 90 seconds before the end of the channel, because the seller stops 60 seconds before it. */
const marginMs = 90_000;
