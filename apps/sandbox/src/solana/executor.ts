import { addressFromBytes, type ParsedTransaction } from '@tollbridge/onchain/solana';
import type { AccountState } from './solana.repository';
import type { Svm } from './svm';
import { readMint, readTokenAccount } from './token-account';
import type { TokenBalanceMeta, TransactionMeta } from './transaction-meta';

export interface Executed {
  meta: TransactionMeta;
  /** All addresses that the transaction refers to. */
  addresses: string[];
  /** Accounts that it may have written; undefined for closed accounts. */
  changed: Map<string, AccountState | undefined>;
}

// Length of the header of a lookup table, before its addresses.
const lookupTableHeader = 56;

interface AccountList {
  addresses: string[];
  isWritable: boolean[];
  loaded: { writable: string[]; readonly: string[] };
}

/** Executes a transaction in the runtime, and records its changes. */
export class Executor {
  constructor(
    private readonly svm: Svm,
    private readonly known: (address: string) => AccountState | undefined,
  ) {}

  /** Returns undefined for a transaction that the network drops: its payer pays no fee. */
  execute(wire: Uint8Array, parsed: ParsedTransaction): Executed | undefined {
    const list = this.accountsOf(parsed);
    const { addresses } = list;
    const before = this.statesOf(addresses);
    const { fee, ...execution } = this.svm.execute(wire);
    const after = this.statesOf(addresses);
    if (execution.err !== null && lamportsOf(after[0]) === lamportsOf(before[0])) return undefined;
    const meta: TransactionMeta = {
      ...execution,
      fee: String(fee),
      preBalances: before.map((it) => String(lamportsOf(it))),
      postBalances: after.map((it) => String(lamportsOf(it))),
      preTokenBalances: this.tokensOf(before),
      postTokenBalances: this.tokensOf(after),
      loadedAddresses: list.loaded,
    };
    const writable = addresses.flatMap((address, at) =>
      list.isWritable[at] ? [[address, after[at]] as const] : [],
    );
    return { meta, addresses, changed: new Map(writable) };
  }

  private statesOf(addresses: readonly string[]): (AccountState | undefined)[] {
    return addresses.map((address) => this.svm.account(address));
  }

  private tokensOf(states: readonly (AccountState | undefined)[]): TokenBalanceMeta[] {
    return states.flatMap((state, accountIndex) => {
      const token = state && readTokenAccount(state);
      const mintState = token && (this.svm.account(token.mint) ?? this.known(token.mint));
      const mint = mintState && readMint(mintState);
      if (!token || !mint) return [];
      const { mint: address, owner, programId, amount } = token;
      return [
        {
          accountIndex,
          mint: address,
          owner,
          programId,
          decimals: mint.decimals,
          amount: String(amount),
        },
      ];
    });
  }

  private accountsOf(parsed: ParsedTransaction): AccountList {
    const loaded = this.loadedOf(parsed);
    const { numRequiredSignatures: signers, accountKeys } = parsed;
    const isWritable = accountKeys.map((_, at) =>
      at < signers
        ? at < signers - parsed.numReadonlySignedAccounts
        : at < accountKeys.length - parsed.numReadonlyUnsignedAccounts,
    );
    return {
      addresses: [...accountKeys, ...loaded.writable, ...loaded.readonly],
      isWritable: [...isWritable, ...loaded.writable.map(() => true), ...loaded.readonly.map(() => false)],
      loaded,
    };
  }

  private loadedOf({ lookups }: ParsedTransaction): AccountList['loaded'] {
    const at = (table: string, index: number): string[] => {
      const start = lookupTableHeader + 32 * index;
      const bytes = this.svm.account(table)?.data.subarray(start, start + 32);
      return bytes?.length === 32 ? [addressFromBytes(bytes)] : [];
    };
    return {
      writable: lookups.flatMap(({ accountKey, writableIndexes }) =>
        writableIndexes.flatMap((index) => at(accountKey, index)),
      ),
      readonly: lookups.flatMap(({ accountKey, readonlyIndexes }) =>
        readonlyIndexes.flatMap((index) => at(accountKey, index)),
      ),
    };
  }
}

const lamportsOf = (state: AccountState | undefined): bigint => state?.lamports ?? 0n;
