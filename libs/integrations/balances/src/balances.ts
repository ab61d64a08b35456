import { type Chain, findChain } from '@tollbridge/chains';
import { bulkhead, isBulkheadRejectedError, type IPolicy } from 'cockatiel';
import { Deadline, leftReason } from './deadline';
import type { BalanceReader, Holding, PaymentKind } from './holding';
import { ReadFailure, reasonOf } from './read-failure';
import { type BalanceSource, openReader } from './sources/source-kinds';

export interface Wallet {
  /** A chain of the registry, or of a deployment with its own tokens. */
  chain: Chain;
  /** In the form of `canonicalAddress`. */
  address: string;
}

export interface FoundBalances extends Wallet {
  holdings: Holding[];
}

export interface SkippedWallet extends Wallet {
  /** For logs. It contains neither a URL nor a key. */
  reason: string;
}

export interface ReadOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

// Limits for each chain. A read makes up to five requests, and public sources allow a few per second. A read fails
// immediately when it would wait for more than a few seconds.
const maxReadsAtOnce = 8;
const maxReadsWaiting = 64;
// From the specification: 5 s for each chain; a slower chain is skipped.
const defaultTimeoutMs = 5_000;

/** A reader of a chain that the caller has opened, instead of a source. */
export interface OpenedSource {
  /** Any name of the chain in the registry. */
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

  /** @param timeoutMs time limit for one chain, shared by its URLs */
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

  /** Reads all wallets concurrently. A failed or slow wallet is skipped and never returned as empty. */
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

  /**
   * Returns the amount that must stay in the wallet: the amount that the chain locks, plus the transfer fee for native
   * coins.
   */
  async reserveOf(chain: Chain, holding: Holding, payment: PaymentKind): Promise<bigint> {
    const { token, lockedAtomic } = holding;
    return token.address === null ? lockedAtomic + (await this.coinFeeAtomic(chain, payment)) : lockedAtomic;
  }

  /** Returns the transfer fee of a payment in native coins, including payments in tokens. */
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

/** A race, because some readers cannot be aborted: EVM calls always run to their end. */
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
