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

/** All links are in memory, with 32 bytes each. */
const maxLength = 100_000;

export interface HashChainOptions extends GrantOptions {
  /** The only seller that this chain can pay. */
  to: string;
  /** Value of one link, in the smallest unit of the asset. Prices must be multiples of it. */
  unit: bigint | string;
  /** Number of links, at most 100,000. `length` times `unit` is the most that can be spent. */
  length: number;
}

/** Member `chain` of an authorization. It is a type, because an interface is not assignable to a record. */
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

/** Secret JSON. Its holder can pay this seller with the rest of the chain. */
export interface HashChainGrant extends GrantScope, SignatureMember {
  to: string;
  chain: Omit<ChainMember, 'index' | 'link'>;
  /** 64 hexadecimal digits. Hashed `length` times, the secret gives the anchor. */
  secret: string;
  /** Number of used links. */
  used: number;
  /** Links of payments with an unknown outcome. They may be used too. */
  unknown?: number[];
}

/** The link that pays one price. */
export interface ChainStep {
  index: number;
  nonce: Buffer;
  member: ChainMember;
}

/** Creates a hash chain and has the wallet sign its grant once. Payments by the chain need no further signature. */
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

/** A chain in use. Its links must arrive in order, so concurrent payments need several chains. */
export class HashChain {
  // A private field, so that printing a signer does not reveal links.
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
    // The link of index 0 is the anchor.
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

  /** The state to store. A chain that is restored from it continues at the same link. */
  get state(): HashChainGrant {
    return this.#grant;
  }

  get signature(): SignatureMember {
    const { signature, signatureKind, domain, timestamp } = this.#grant;
    const dialog = domain === undefined || timestamp === undefined ? {} : { domain, timestamp };
    return { signature, signatureKind, ...dialog };
  }

  /**
   * Returns the step that reveals the links of this price. Returns the same step until `use` is called.
   * @throws UnpayableOfferError if the chain cannot pay this price
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

  /** Records that this is the last used link. */
  use(index: number): void {
    if (index > this.#grant.used) this.#grant = { ...this.#grant, used: index, unknown: [] };
  }

  /** Records that the outcome of the payment with this link is unknown. */
  leaveUnknown(index: number): void {
    const known = new Set(this.#grant.unknown).add(index);
    this.#grant = { ...this.#grant, unknown: [...known].sort((one, other) => one - other) };
  }

  /**
   * Continues after the link of an earlier payment that was charged after all. Returns false without such a link.
   * @param atLeast lowest possible index of that link
   */
  skip(atLeast: number): boolean {
    const { unknown = [] } = this.#grant;
    const used = unknown.find((index) => index >= atLeast);
    if (used === undefined) return false;
    this.#grant = { ...this.#grant, used, unknown: unknown.filter((index) => index > used) };
    return true;
  }

  /** Runs one payment after the other. */
  inTurn<T>(pay: () => Promise<T>): Promise<T> {
    const turn = this.inUse.then(pay, pay);
    this.inUse = turn;
    return turn;
  }
}
