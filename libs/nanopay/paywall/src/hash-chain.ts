import { randomBytes } from 'node:crypto';
import {
  hashChainGrantDigest,
  hashed,
  linkNonce,
  maxAmountAtomic,
  maxHashesPerPayment,
} from '@tollbridge/nanopay-protocol';
import {
  accountReader,
  amountOf,
  grantScope,
  grantWindow,
  networkOf,
  requireScope,
  signatureMember,
  unpayable,
  type GrantingWallet,
  type GrantOptions,
  type GrantScope,
  type SignatureMember,
} from './granting';
import type { Payable } from './payable';

/** All links are held in memory, 32 bytes each. */
const maxLength = 100_000;

export interface HashChainOptions extends GrantOptions {
  /** The only seller that this chain can pay. */
  to: string;
  /** What one link is worth, in the smallest unit of the asset; prices are multiples of it. */
  unit: bigint | string;
  /** How many links there are, at most 100,000: with `unit` the most that can be spent. */
  length: number;
}

/** Member `chain` of an authorization; a type, so that it is a record too. */
export type ChainMember = {
  unit: string;
  length: string;
  anchor: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
  index: string;
  link: string;
};

/** Secret JSON: its holder can pay this seller with the rest of the chain. */
export interface HashChainGrant extends GrantScope, SignatureMember {
  to: string;
  chain: Omit<ChainMember, 'index' | 'link'>;
  /** 64 hexadecimal digits: hashed `length` times it is the anchor. */
  secret: string;
  /** Links that are used. */
  used: number;
  /** Links of payments with an unknown outcome: they may be used as well. */
  unknown?: number[];
}

/** The link that pays one price. */
export interface ChainStep {
  index: number;
  nonce: Buffer;
  member: ChainMember;
}

/** Lets a wallet sign once that a hash chain may pay a seller. Payments by the chain need no signature. */
export async function createHashChain(
  wallet: GrantingWallet,
  options: HashChainOptions,
): Promise<HashChainGrant> {
  const { unit, length } = options;
  const scope = grantScope(wallet, options);
  const to = accountReader(networkOf(options))(options.to, 'to');
  const unitAtomic = amountOf(unit, 'unit');
  if (!Number.isSafeInteger(length) || length < 1 || length > maxLength)
    throw new TypeError(`length must be from 1 to ${maxLength}.`);
  if (unitAtomic * BigInt(length) > maxAmountAtomic)
    throw new TypeError('unit times length exceeds the largest amount.');
  const secret = randomBytes(32);
  const { validAfterS, validBeforeS } = grantWindow(options);
  const terms = {
    unitAtomic,
    length,
    validAfterS,
    validBeforeS,
    anchor: hashed(secret, length),
    nonce: randomBytes(32),
  };
  const networkId = networkOf(options).globalId;
  const signed = await wallet.sign(hashChainGrantDigest({ ...scope, networkId }, to, terms));
  const chain = {
    unit: unitAtomic.toString(),
    length: String(length),
    anchor: terms.anchor.toString('hex'),
    validAfter: validAfterS.toString(),
    validBefore: validBeforeS.toString(),
    nonce: terms.nonce.toString('hex'),
  };
  return { ...scope, to, chain, secret: secret.toString('hex'), used: 0, ...signatureMember(signed) };
}

/**
 * A chain in use. Its links must arrive in order: use several chains for concurrent payments.
 */
export class HashChain {
  // Printing a signer must not reveal links.
  #grant: HashChainGrant;
  readonly #links: Buffer[];
  private readonly length: number;
  private readonly unitAtomic: bigint;
  private readonly digest: Buffer;
  private inUse: Promise<unknown> = Promise.resolve();

  constructor(grant: HashChainGrant) {
    this.#grant = grant;
    const { chain, secret, to } = grant;
    this.length = Number(chain.length);
    this.unitAtomic = BigInt(chain.unit);
    // That of index 0 is the anchor.
    const links: Buffer[] = [Buffer.from(secret, 'hex')];
    for (let made = 0; made < this.length; made++) links.push(hashed(links[made]!, 1));
    this.#links = links.reverse();
    const [anchor, nonce] = [chain.anchor, chain.nonce].map((hex) => Buffer.from(hex, 'hex'));
    if (!this.#links[0]!.equals(anchor!)) throw new TypeError('The secret is of another chain.');
    const times = { validAfterS: BigInt(chain.validAfter), validBeforeS: BigInt(chain.validBefore) };
    const terms = {
      unitAtomic: this.unitAtomic,
      length: this.length,
      anchor: anchor!,
      nonce: nonce!,
      ...times,
    };
    const networkId = networkOf(grant).globalId;
    this.digest = hashChainGrantDigest({ ...grant, networkId }, to, terms);
  }

  /** Store it: a chain continues where it was. */
  get state(): HashChainGrant {
    return this.#grant;
  }

  get signature(): SignatureMember {
    const { signature, signatureKind, domain, timestamp } = this.#grant;
    const dialog = domain === undefined || timestamp === undefined ? {} : { domain, timestamp };
    return { signature, signatureKind, ...dialog };
  }

  /**
   * The step that reveals the links of this price. It repeats the same step until `use` is called.
   * @throws UnpayableOfferError
   */
  next(payment: Payable, nowMs: number): ChainStep {
    const { chain, to, used } = this.#grant;
    requireScope('chain', this.#grant, payment, { to, validBeforeS: chain.validBefore, nowMs });
    const { amountAtomic } = payment;
    const count = amountAtomic / this.unitAtomic;
    if (count * this.unitAtomic !== amountAtomic || count > BigInt(maxHashesPerPayment))
      unpayable('chain', `for prices of 1 to ${maxHashesPerPayment} times its unit`);
    const index = used + Number(count);
    if (index > this.length) unpayable('chain', 'used up');
    const member = { ...chain, index: String(index), link: this.#links[index]!.toString('hex') };
    return { index, nonce: linkNonce(this.digest, index), member };
  }

  /** This link is the last used one. */
  use(index: number): void {
    if (index > this.#grant.used) this.#grant = { ...this.#grant, used: index, unknown: [] };
  }

  /** The outcome of the payment that revealed this link is unknown. */
  leaveUnknown(index: number): void {
    const known = new Set(this.#grant.unknown).add(index);
    this.#grant = { ...this.#grant, unknown: [...known].sort((one, other) => one - other) };
  }

  /**
   * An earlier payment was charged after all: continues behind its link. Returns false without such a link.
   * @param atLeast the first link that it can have been
   */
  skip(atLeast: number): boolean {
    const { unknown = [] } = this.#grant;
    const used = unknown.find((index) => index >= atLeast);
    if (used === undefined) return false;
    this.#grant = { ...this.#grant, used, unknown: unknown.filter((index) => index > used) };
    return true;
  }

  /** One payment after the other. */
  inTurn<T>(pay: () => Promise<T>): Promise<T> {
    const turn = this.inUse.then(pay, pay);
    this.inUse = turn;
    return turn;
  }
}
