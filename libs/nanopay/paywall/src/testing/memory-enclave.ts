import {
  channelGraceS,
  channelNoticeS,
  confirmationIdOf,
  dialogDigest,
  digestOf,
  doesChainAllow,
  doesGrantAllow,
  flags,
  genesisHead,
  hashChainGrantDigest,
  hashed,
  isChannelOf,
  isKeylessCall,
  isPayment,
  isSignature,
  isStrongKey,
  keyOfStateInit,
  linkNonce,
  maxSettlementHashes,
  nextHead,
  problemOfWindow,
  publicKeyOf,
  readPayment,
  receiptDigest,
  sessionGrantDigest,
  settlementDigest,
  signingKey,
  w5Account,
  type ChannelOutcome,
  type ChargeItem,
  type Deployment,
  type FrameItem,
  type Outcome,
  type PaymentTerms,
  type PresentedChain,
  type PresentedSession,
  type RejectedOutcome,
  type Rejection,
  type SettledOutcome,
  type SettleItem,
  type SigningKey,
  type VoidItem,
} from '@tollbridge/nanopay-protocol';
import type { Transport } from '../transport';

export interface MemoryEnclaveOptions {
  deployment: Deployment;
  /** Seed of the receipt key. */
  seed?: Uint8Array;
  /** Unix milliseconds. */
  clock?: () => number;
}

interface Entry {
  terms: PaymentTerms;
  item: ChargeItem;
  outcome: SettledOutcome;
  heldAtomic: bigint;
  capturedAtomic: bigint;
  channel: { index: number; link: Buffer; units: number; endMs: number; isOpen: boolean } | undefined;
}

/**
 * A payment ledger service in memory, for tests of sellers' programs. It verifies and signs like the real service, and
 * loses its state when the process ends.
 */
export class MemoryEnclave implements Transport {
  private readonly key: SigningKey;
  private readonly clock: () => number;
  private readonly balances = new Map<string, bigint>();
  private readonly keys = new Map<string, Buffer>();
  /** Amounts spent under grants, by the digests of the grants. */
  private readonly sessions = new Map<string, bigint>();
  /** The last link of each chain and its index, by the digest of the chain's grant. */
  private readonly chains = new Map<string, { index: number; link: Buffer }>();
  private readonly payments = new Map<string, Entry>();
  private seq = 0n;
  private head: Buffer = genesisHead;
  /** All received messages. */
  readonly messages: (readonly FrameItem[])[] = [];
  /** Called first. Its outcome replaces the outcome of the ledger. */
  instead: ((item: FrameItem) => RejectedOutcome | undefined) | undefined;
  /** Loses a message or its reply. */
  lose: ((items: readonly FrameItem[]) => 'message' | 'reply' | undefined) | undefined;

  constructor(private readonly options: MemoryEnclaveOptions) {
    this.key = signingKey(options.seed ?? Buffer.alloc(32, 7));
    this.clock = options.clock ?? Date.now;
  }

  /** Public receipt key in hexadecimal digits. */
  get publicKey(): string {
    return this.key.publicKey.toString('hex');
  }

  deposit(account: string, amountAtomic: bigint): void {
    this.balances.set(account, this.balanceOf(account) + amountAtomic);
  }

  balanceOf(account: string): bigint {
    return this.balances.get(account) ?? 0n;
  }

  /** Closes the channels of a payer. They end after the notice period. */
  closeChannels(payer: string): void {
    const endMs = this.clock() + channelNoticeS * 1_000;
    for (const { terms, channel } of this.payments.values())
      if (channel && terms.from === payer) channel.endMs = Math.min(channel.endMs, endMs);
  }

  async send(items: readonly FrameItem[]): Promise<Outcome[]> {
    this.messages.push(items);
    const loss = this.lose?.(items);
    if (loss === 'message') throw new Error('The message was lost.');
    this.releaseEnded();
    const outcomes: Outcome[] = [];
    for (const item of items) outcomes.push(await this.settle(item));
    if (loss === 'reply') throw new Error('The reply was lost.');
    return outcomes;
  }

  private settle(item: FrameItem): Outcome | Promise<Outcome> {
    const scripted = this.instead?.(item);
    if (scripted) return scripted;
    if (item.kind === 'void') return this.refund(item);
    return item.kind === 'settle' ? this.settleChannel(item) : this.take(item);
  }

  private async take(item: ChargeItem): Promise<Outcome> {
    if (!isPayment(item.payment)) return rejected('invalid_payload');
    const terms = readPayment(item.payment);
    const nonce = `${terms.from} ${terms.nonce.toString('hex')}`;
    const difference = this.problemOfTerms(terms) ?? this.problemOfChannel(item, terms);
    if (difference === 'invalid_ton_nanopay_valid_before') return this.takeLate(nonce, item);
    const problem = difference ?? (await this.problemOfSignature(item, terms));
    if (problem) return rejected(problem);
    const known = this.payments.get(nonce);
    if (known) return this.takeAgain(known, item);
    if (this.balanceOf(terms.from) < item.amountAtomic) return rejected('insufficient_funds');
    const { session } = item;
    if (session && this.spentUnder(terms, session) + item.amountAtomic > session.maxTotalAtomic)
      return rejected('invalid_ton_nanopay_session');
    const unchained = item.chain && this.takeLink(item.chain, terms);
    if (unchained) return rejected(unchained);
    this.spend(terms, item, item.amountAtomic);
    this.deposit(terms.from, -item.amountAtomic);
    const isHold = item.kind === 'hold';
    if (!isHold) this.deposit(terms.to, item.amountAtomic);
    const outcome = isHold ? heldOutcome(item) : this.receipt(item, 'captured', item.amountAtomic);
    const heldAtomic = isHold ? item.amountAtomic : 0n;
    const capturedAtomic = isHold ? 0n : item.amountAtomic;
    const channel = item.channel && {
      index: 0,
      link: item.channel.anchor,
      units: 0,
      endMs: Number(item.channel.endS) * 1_000,
      isOpen: true,
    };
    this.payments.set(nonce, { terms, item, outcome, heldAtomic, capturedAtomic, channel });
    return outcome;
  }

  private problemOfChannel({ channel, kind, holdS }: ChargeItem, terms: PaymentTerms): Rejection | undefined {
    if (!channel && (terms.flags & flags.channel) === 0) return undefined;
    const isOpening = channel && kind === 'hold' && holdS === 0;
    return isOpening && isChannelOf(channel, terms, this.clock() / 1_000)
      ? undefined
      : 'invalid_ton_nanopay_channel';
  }

  private settleChannel(item: SettleItem): Outcome {
    const entry = this.entryOf(item);
    if (!entry?.channel) return rejected('invalid_transaction_state');
    const { channel, terms } = entry;
    if (!channel.isOpen) return this.channelOutcome(entry, channel, 0n);
    const steps = item.index - channel.index;
    if (steps > maxSettlementHashes || item.index > entry.item.channel!.length)
      return rejected('invalid_ton_nanopay_channel');
    if (item.units > Math.max(item.index, channel.index))
      return rejected('invalid_ton_nanopay_amount_mismatch');
    if (steps >= 0) {
      if (!hashed(item.link, steps).equals(channel.link)) return rejected('invalid_ton_nanopay_channel');
      Object.assign(channel, { index: item.index, link: item.link });
    }
    const units = Math.max(item.units - channel.units, 0);
    const amountAtomic = BigInt(units) * entry.item.channel!.unitAtomic;
    channel.units += units;
    entry.heldAtomic -= amountAtomic;
    this.deposit(terms.to, amountAtomic);
    if (item.isLast) this.releaseChannel(entry);
    return this.channelOutcome(entry, channel, amountAtomic);
  }

  private channelOutcome(
    { item }: Entry,
    { units, endMs, isOpen }: NonNullable<Entry['channel']>,
    amountAtomic: bigint,
  ): ChannelOutcome {
    const opened = digestOf(item.payment);
    const receipt =
      amountAtomic > 0n
        ? this.receiptOf(settlementDigest(opened, units), 'charge', amountAtomic)
        : { ...heldOutcome(item), amountAtomic };
    return { ...receipt, status: 'settled', units, endMs: BigInt(endMs), isOpen };
  }

  private releaseEnded(): void {
    for (const entry of this.payments.values()) {
      const { channel } = entry;
      if (channel?.isOpen && channel.endMs + channelGraceS * 1_000 <= this.clock())
        this.releaseChannel(entry);
    }
  }

  private releaseChannel(entry: Entry): void {
    this.deposit(entry.terms.from, entry.heldAtomic);
    this.spend(entry.terms, entry.item, -entry.heldAtomic);
    entry.heldAtomic = 0n;
    if (entry.channel) entry.channel.isOpen = false;
  }

  private entryOf({ callKey, confirmationId }: VoidItem | SettleItem): Entry | undefined {
    const id = confirmationId.toString('hex');
    return [...this.payments.values()].find(
      ({ item, outcome }) => item.callKey.equals(callKey) && confirmationIdOf(outcome.digest) === id,
    );
  }

  /** Repeats the outcome of a known call, and charges nothing new. */
  private takeLate(nonce: string, item: ChargeItem): Outcome {
    const known = this.payments.get(nonce);
    const isSame = known && item.kind === 'charge' && isSameCall(known, item);
    const isCharged = isSame && known.outcome.status === 'captured';
    return isCharged ? known.outcome : rejected('invalid_ton_nanopay_valid_before');
  }

  private takeAgain(known: Entry, item: ChargeItem): Outcome {
    if (isSameCall(known, item) && known.item.kind === item.kind) return known.outcome;
    if (isUnclaimed(known, item)) {
      known.item = item;
      return known.outcome;
    }
    if (!known.item.payment.equals(item.payment) || item.kind !== 'charge' || known.outcome.status !== 'held')
      return rejected('duplicate_settlement');
    this.deposit(known.terms.from, known.heldAtomic - item.amountAtomic);
    this.deposit(known.terms.to, item.amountAtomic);
    this.spend(known.terms, item, item.amountAtomic - known.heldAtomic);
    known.outcome = this.receipt(item, 'captured', item.amountAtomic);
    Object.assign(known, { item, heldAtomic: 0n, capturedAtomic: item.amountAtomic });
    return known.outcome;
  }

  private refund(item: VoidItem): Outcome {
    const entry = this.entryOf(item);
    if (!entry) return rejected('invalid_transaction_state');
    if (entry.outcome.status === 'voided') return entry.outcome;
    const { capturedAtomic } = entry;
    const amountAtomic = entry.heldAtomic + capturedAtomic;
    this.releaseChannel(entry);
    this.deposit(entry.terms.from, capturedAtomic);
    this.deposit(entry.terms.to, -capturedAtomic);
    this.spend(entry.terms, entry.item, -capturedAtomic);
    entry.outcome = this.receipt(entry.item, 'voided', amountAtomic);
    entry.capturedAtomic = 0n;
    return entry.outcome;
  }

  private problemOfTerms(terms: PaymentTerms): Rejection | undefined {
    const { network, verifyingContract, asset } = this.options.deployment;
    if (terms.networkId !== network.globalId) return 'invalid_network';
    if (terms.verifyingContract !== verifyingContract) return 'invalid_ton_nanopay_contract_mismatch';
    if (terms.asset !== asset.master) return 'invalid_ton_nanopay_asset_mismatch';
    return problemOfWindow(terms, this.clock() / 1_000);
  }

  private async problemOfSignature(item: ChargeItem, terms: PaymentTerms): Promise<Rejection | undefined> {
    const isSession = (terms.flags & flags.session) !== 0;
    if (isSession !== (item.session !== undefined)) return 'invalid_ton_nanopay_session';
    const isChain = (terms.flags & flags.hashChain) !== 0;
    if (isChain !== (item.chain !== undefined)) return 'invalid_ton_nanopay_hash_chain';
    const key = this.keys.get(terms.from) ?? (await this.keyOf(item, terms.from));
    if (!key) return 'invalid_ton_nanopay_unknown_key';
    if (item.session && !this.isGranted(item.session, terms, key)) return 'invalid_ton_nanopay_session';
    if (item.chain && !this.isChained(item.chain, terms)) return 'invalid_ton_nanopay_hash_chain';
    const digest = item.chain ? hashChainGrantDigest(terms, terms.to, item.chain) : digestOf(item.payment);
    const signed = item.dialog ? dialogDigest(terms.from, item.dialog, digest) : digest;
    return isSignature(signed, item.signature, publicKeyOf(item.session?.publicKey ?? key))
      ? undefined
      : 'invalid_ton_nanopay_signature';
  }

  private isGranted(session: PresentedSession, terms: PaymentTerms, wallet: Buffer): boolean {
    const { dialog, signature, publicKey } = session;
    if (!doesGrantAllow(session, terms, this.clock() / 1_000) || !isStrongKey(publicKey)) return false;
    const digest = sessionGrantDigest(terms, session);
    const signed = dialog ? dialogDigest(terms.from, dialog, digest) : digest;
    return isSignature(signed, signature, publicKeyOf(wallet));
  }

  private isChained(chain: PresentedChain, terms: PaymentTerms): boolean {
    const nonce = linkNonce(hashChainGrantDigest(terms, terms.to, chain), chain.index);
    return doesChainAllow(chain, terms, this.clock() / 1_000) && terms.nonce.equals(nonce);
  }

  private takeLink(chain: PresentedChain, terms: PaymentTerms): Rejection | undefined {
    const { index, link, unitAtomic, anchor } = chain;
    const name = hashChainGrantDigest(terms, terms.to, chain).toString('hex');
    const last = this.chains.get(name) ?? { index: 0, link: anchor };
    if (index <= last.index) return 'duplicate_settlement';
    if (unitAtomic * BigInt(index - last.index) !== terms.amountAtomic)
      return 'invalid_ton_nanopay_amount_mismatch';
    if (!hashed(link, index - last.index).equals(last.link)) return 'invalid_ton_nanopay_hash_chain';
    this.chains.set(name, { index, link });
    return undefined;
  }

  private spentUnder(terms: PaymentTerms, session: PresentedSession): bigint {
    return this.sessions.get(sessionGrantDigest(terms, session).toString('hex')) ?? 0n;
  }

  private spend(terms: PaymentTerms, { session }: ChargeItem, amountAtomic: bigint): void {
    if (!session) return;
    const spentAtomic = this.spentUnder(terms, session) + amountAtomic;
    this.sessions.set(sessionGrantDigest(terms, session).toString('hex'), spentAtomic);
  }

  private async keyOf({ publicKey, stateInit }: ChargeItem, from: string): Promise<Buffer | undefined> {
    const isW5 = publicKey && w5Account(publicKey, this.options.deployment.network) === from;
    const key = isW5 ? publicKey : stateInit && (await keyOfStateInit(stateInit, from));
    if (!key || !isStrongKey(key)) return undefined;
    this.keys.set(from, key);
    return key;
  }

  private receipt(item: ChargeItem, status: 'captured' | 'voided', amountAtomic: bigint): SettledOutcome {
    const type = status === 'voided' ? 'refund' : 'charge';
    return { status, ...this.receiptOf(digestOf(item.payment), type, amountAtomic) };
  }

  private receiptOf(
    digest: Buffer,
    type: 'charge' | 'refund',
    amountAtomic: bigint,
  ): Omit<SettledOutcome, 'status'> {
    const unixMs = BigInt(this.clock());
    const fields = { digest, amountAtomic, seq: ++this.seq, previousHead: this.head, unixMs };
    const signed = receiptDigest({ type, ...fields });
    this.head = nextHead(this.head, signed);
    return { ...fields, signature: this.key.sign(signed) };
  }
}

const isSameCall = ({ item }: Entry, { payment, callKey }: ChargeItem): boolean =>
  item.payment.equals(payment) && item.callKey.equals(callKey);

/** Whether a call without a key made this charge, and an equal call with a key may claim it. */
const isUnclaimed = ({ item: before, outcome, terms }: Entry, item: ChargeItem): boolean =>
  isKeylessCall(before.callKey) &&
  !isKeylessCall(item.callKey) &&
  item.kind === 'charge' &&
  (terms.flags & flags.resourceBound) !== 0 &&
  outcome.status === 'captured' &&
  before.payment.equals(item.payment) &&
  before.amountAtomic === item.amountAtomic;

const rejected = (reason: Rejection): RejectedOutcome => ({
  status: 'rejected',
  reason,
  retryAfterS: 0,
  approvalId: undefined,
});

const heldOutcome = (item: ChargeItem): SettledOutcome => ({
  status: 'held',
  digest: digestOf(item.payment),
  amountAtomic: item.amountAtomic,
  seq: 0n,
  unixMs: 0n,
  previousHead: Buffer.alloc(32),
  signature: Buffer.alloc(64),
});
