import { type Chain, findChain } from '@tollbridge/chains';
import { bulkhead, isBulkheadRejectedError, type IPolicy } from 'cockatiel';
import { Deadline, leftReason } from './deadline';
import type { BalanceReader, Holding, PaymentKind } from './holding';
import { ReadFailure, reasonOf } from './read-failure';
import { type BalanceSource, openReader } from './sources/source-kinds';

export interface Wallet {
  /** Chain of the registry, or of a deployment with tokens of its own. */
  chain: Chain;
  /** As `canonicalAddress` writes it. */
  address: string;
}

export interface FoundBalances extends Wallet {
  holdings: Holding[];
}

export interface SkippedWallet extends Wallet {
  /** For the log; names no URL and no key. */
  reason: string;
}

export interface ReadOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

// Per chain. A read makes up to five requests, and public sources allow a few a second. A read fails immediately when
// it would wait for more than a few seconds.
const maxReadsAtOnce = 8;
const maxReadsWaiting = 64;
// The specification: 5 s for each chain, and a slow one is skipped.
const defaultTimeoutMs = 5_000;

/** A reader of a chain that the caller has opened, in place of a source. */
export interface OpenedSource {
  /** Any name of the registry. */
  chain: string;
  reader: BalanceReader;
}

interface OpenSource {
  reader: BalanceReader;
  places: IPolicy;
}

/** Reads wallet balances on every chain with a configured source. */
export class Balances {
  private readonly sources = new Map<string, OpenSource>();

  /** @param timeoutMs the timeout of a chain; its URLs share it */
  constructor(
    sources: readonly (BalanceSource | OpenedSource)[],
    private readonly timeoutMs = defaultTimeoutMs,
  ) {
    for (const source of sources) {
      const chain = findChain(source.chain);
      if (!chain) throw new Error(`no chain ${source.chain} in the registry`);
      if (this.sources.has(chain.id)) throw new Error(`chain ${chain.id} has two sources`);
      const reader = 'reader' in source ? source.reader : openReader(chain, source, timeoutMs);
      this.sources.set(chain.id, { reader, places: bulkhead(maxReadsAtOnce, maxReadsWaiting) });
    }
  }

  isServed(chain: Chain): boolean {
    return this.sources.has(chain.id);
  }

  /** All wallets at once. One that fails or is slow is skipped; it is never shown as empty. */
  async read(
    wallets: readonly Wallet[],
    options: ReadOptions = {},
  ): Promise<{ found: FoundBalances[]; skipped: SkippedWallet[] }> {
    const found: FoundBalances[] = [];
    const skipped: SkippedWallet[] = [];
    const read = async (wallet: Wallet): Promise<FoundBalances | SkippedWallet> =>
      this.readOne(wallet, options).then(
        (holdings) => ({ ...wallet, holdings }),
        (error: unknown) => ({ ...wallet, reason: reasonOf(error) }),
      );
    // In the order of the wallets, whichever answers first.
    for (const outcome of await Promise.all(wallets.map(read))) {
      if ('holdings' in outcome) found.push(outcome);
      else skipped.push(outcome);
    }
    return { found, skipped };
  }

  /** The amount that must stay in the wallet: locked by the chain, and for native coins the transfer fee. */
  async reserveOf(chain: Chain, holding: Holding, payment: PaymentKind): Promise<bigint> {
    const { token, lockedAtomic } = holding;
    return token.address === null ? lockedAtomic + (await this.coinFeeAtomic(chain, payment)) : lockedAtomic;
  }

  /** The transfer fee of a payment in native coins, also for tokens. */
  async coinFeeAtomic(chain: Chain, payment: PaymentKind): Promise<bigint> {
    const reader = this.sources.get(chain.id)?.reader;
    if (reader?.coinFeeAtomic) return within(this.timeoutMs, undefined, () => reader.coinFeeAtomic!(payment));
    const fee = chain.coinFeeAtomic;
    if (fee === null) throw new ReadFailure(`no source gives the transfer fee of ${chain.id}`);
    return BigInt(fee);
  }

  private async readOne({ chain, address }: Wallet, options: ReadOptions): Promise<Holding[]> {
    const source = this.sources.get(chain.id);
    if (!source) throw new ReadFailure('no source is configured');
    if (options.signal?.aborted) throw new ReadFailure(leftReason);
    const timeoutMs = Math.min(options.timeoutMs ?? this.timeoutMs, this.timeoutMs);
    return within(timeoutMs, options.signal, (signal) => readInPlace(source, chain, address, signal));
  }
}

/** A race, as not every reader can be interrupted: EVM calls run to their own end. */
async function within<T>(
  timeoutMs: number,
  left: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(timeoutMs, left);
  try {
    return await Promise.race([deadline.reached, read(deadline.signal)]);
  } finally {
    deadline.dispose();
  }
}

async function readInPlace(
  { reader, places }: OpenSource,
  chain: Chain,
  address: string,
  signal: AbortSignal,
): Promise<Holding[]> {
  try {
    return await places.execute(() => reader.read(chain, address, signal), signal);
  } catch (error) {
    if (isBulkheadRejectedError(error)) throw new ReadFailure('too many wallets are waiting for this chain');
    throw error;
  }
}
