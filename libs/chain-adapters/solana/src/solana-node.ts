import { RangeLimit, readPart } from '@tollbridge/chain-nodes';
import type { Chain } from '@tollbridge/chains';
import { ProviderError, UnreadableReply, readCount, readFields, readList } from '@tollbridge/http';
import { ChainCheck } from './chain-check';
import { JsonRpc, NodeError, type NodeErrorName } from './json-rpc';
import { readBlock, readFailure, readOwner, readSignatures, readTokenAmounts, valueOf } from './replies.wire';
import type { ListedSignature, RecentBlockhash, SolanaBlock, SolanaTransaction } from './solana-types';
import { readTransaction } from './transaction.wire';
import { readAddress, readLamports, readSignature } from './wire-fields';

export type Commitment = 'confirmed' | 'finalized';
const confirmed = { commitment: 'confirmed' } as const;

export interface SignaturePage {
  /** Only signatures that are older than this one. */
  before: string | undefined;
  /** The node may return fewer. `isWhole` of the reply shows whether the list is complete. */
  limit: number;
  /** A node that has not seen this slot returns an error. */
  minContextSlot: number;
}

export interface ListedSignatures {
  listed: ListedSignature[];
  /** Whether this page ends with the oldest signature. */
  isWhole: boolean;
}

/** One node of a Solana cluster. Every method fails with a `ProviderError`, and reads confirmed data. */
export class SolanaNode {
  /** The node's limit for a list of signatures. */
  readonly ranges = new RangeLimit();
  private readonly check: ChainCheck;

  constructor(
    { id, caip2 }: Pick<Chain, 'id' | 'caip2'>,
    url: string,
    position: number,
    private readonly rpc: Pick<JsonRpc, 'call' | 'provider'> = new JsonRpc(`${id} node ${position}`, url),
  ) {
    const genesis = () => this.rpc.call('getGenesisHash', [], (hash) => readAddress(hash, 'the hash'));
    this.check = new ChainCheck(rpc.provider, caip2 ?? '', genesis);
  }

  slot(commitment: Commitment = 'confirmed'): Promise<number> {
    return this.call('getSlot', [{ commitment }], (slot) => readCount(slot, 'slot'));
  }

  /** Returns the number of blocks up to the newest one. The expiry of transactions depends on it. */
  blockHeight(commitment: Commitment = 'confirmed'): Promise<number> {
    return this.call('getBlockHeight', [{ commitment }], (height) => readCount(height, 'block height'));
  }

  /** Returns the slots with a block from `from` to `to`, in order. */
  async slotsWithBlocks(from: number, to: number): Promise<number[]> {
    return this.call('getBlocks', [from, to, confirmed], (result) => {
      const slots = readList(result, 'slots').map((slot) => readCount(slot, 'slots[]'));
      if (!slots.every((slot, at) => slot >= (at === 0 ? from : slots[at - 1]! + 1) && slot <= to))
        throw new UnreadableReply('the slots are out of range or order');
      return slots;
    });
  }

  /** Returns null if the slot has no block. @throws NodeError while the node lacks the block */
  async block(slot: number): Promise<SolanaBlock | null> {
    const params = [
      slot,
      { ...confirmed, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 },
    ];
    const isSkipped = (name: NodeErrorName) => name === 'slotSkipped' || name === 'storedSlotSkipped';
    return this.call('getBlock', params, (result) => readBlock(result, slot)).catch(nullFor(isSkipped));
  }

  /** Returns null while the node has not stored the block with its transactions. */
  async blockIfStored(slot: number): Promise<SolanaBlock | null> {
    const isLater = (name: NodeErrorName) =>
      name === 'blockNotAvailable' || name === 'blockStatusNotAvailableYet';
    return this.block(slot).catch(nullFor(isLater));
  }

  /** Returns the block of a slot that must have one. @throws ProviderError if the node has none */
  async blockAt(slot: number): Promise<SolanaBlock> {
    const block = await this.block(slot);
    if (!block) throw this.lacks(`the block of slot ${slot}`);
    return block;
  }

  /** Returns the oldest slot with a block and transactions on this node. */
  firstAvailableSlot(): Promise<number> {
    return this.call('getFirstAvailableBlock', [], (slot) => readCount(slot, 'slot'));
  }

  /** Returns a page of signatures, newest first. */
  signatures(address: string, page: SignaturePage): Promise<ListedSignatures> {
    const { before, minContextSlot } = page;
    return readPart(this.ranges, page.limit, async (limit) => {
      const options = { ...confirmed, limit, minContextSlot, ...(before !== undefined && { before }) };
      const listed = await this.call('getSignaturesForAddress', [address, options], (it) =>
        readSignatures(it, limit),
      );
      return { listed, isWhole: listed.length < limit };
    });
  }

  /** Returns null if no confirmed block contains the transaction. */
  async transaction(signature: string): Promise<SolanaTransaction | null> {
    const read = (maxSupportedTransactionVersion: number) => {
      const options = { ...confirmed, encoding: 'json', maxSupportedTransactionVersion };
      return this.call('getTransaction', [signature, options], (it) => readTransaction(it, signature));
    };
    // A newer version must not stop the reading of all other transactions. Its fields are validated as well.
    return read(0).catch((error: unknown) => {
      if (!(error instanceof NodeError) || error.errorName !== 'unsupportedTransactionVersion') throw error;
      return read(255);
    });
  }

  /** Whether the node has a transaction. Its block may still be unconfirmed. */
  isKnown(signature: string): Promise<boolean> {
    return this.call('getSignatureStatuses', [[signature]], (result) => {
      const [status] = readList(valueOf(result), 'value');
      return status !== null && status !== undefined;
    });
  }

  lamports(account: string): Promise<bigint> {
    return this.call('getBalance', [account, confirmed], (result) => readLamports(valueOf(result), 'value'));
  }

  /** Returns the balance of each token account of this owner. */
  tokenAmounts(owner: string, mint: string): Promise<bigint[]> {
    const params = [owner, { mint }, { ...confirmed, encoding: 'base64' }];
    return this.call('getTokenAccountsByOwner', params, (it) => readTokenAmounts(it, owner, mint));
  }

  /** Returns the program that owns an account; null without an account. */
  ownerOf(account: string): Promise<string | null> {
    const params = [account, { ...confirmed, encoding: 'base64', dataSlice: { offset: 0, length: 0 } }];
    return this.call('getAccountInfo', params, (result) => readOwner(valueOf(result)));
  }

  recentBlockhash(): Promise<RecentBlockhash> {
    return this.call('getLatestBlockhash', [confirmed], (result) => {
      const { blockhash, lastValidBlockHeight } = readFields(valueOf(result), 'value');
      return {
        blockhash: readAddress(blockhash, 'blockhash'),
        lastValidBlockHeight: readCount(lastValidBlockHeight, 'lastValidBlockHeight'),
      };
    });
  }

  /** Returns the minimum balance in lamports of an account with this number of bytes. */
  rent(bytes: number): Promise<bigint> {
    return this.call('getMinimumBalanceForRentExemption', [bytes], (it) => readLamports(it, 'rent'));
  }

  /**
   * Returns why a signed or unsigned transaction would fail now; null if it would succeed. Signatures are not verified.
   */
  simulate(wire: Uint8Array): Promise<string | null> {
    const options = { ...confirmed, encoding: 'base64', sigVerify: false };
    return this.call('simulateTransaction', [base64(wire), options], (it) => readFailure(valueOf(it)));
  }

  /**
   * Sends a signed transaction to the node, which broadcasts it without a check. The cluster executes it at most once.
   */
  async send(wire: Uint8Array): Promise<void> {
    const options = { encoding: 'base64', skipPreflight: true };
    await this.call('sendTransaction', [base64(wire), options], (it) => readSignature(it, 'signature'));
  }

  /** Creates the error for data that another node may have. */
  lacks(what: string): ProviderError {
    return new ProviderError(this.rpc.provider, { kind: 'unavailable', message: `lacks ${what}` });
  }

  /** Creates the error for answers that contradict each other or the chain. */
  contradicts(message: string): ProviderError {
    return new ProviderError(this.rpc.provider, { kind: 'badReply', message });
  }

  private async call<T>(method: string, params: readonly unknown[], read: (it: unknown) => T): Promise<T> {
    await this.check.pass();
    return this.rpc.call(method, params, read);
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const nullFor =
  (isNull: (name: NodeErrorName) => boolean) =>
  (error: unknown): null => {
    if (error instanceof NodeError && isNull(error.errorName)) return null;
    throw error;
  };
