import { findChain, type Chain } from '@tollbridge/chains';
import { readReply, parseExactJson } from '@tollbridge/http';
import {
  addressFromBytes,
  payInstruction,
  systemProgram,
  type Instruction,
  type SolanaPaymentOrder,
} from '@tollbridge/onchain/solana';
import { base58 } from '@scure/base';
import { createHash, randomUUID } from 'node:crypto';
import { NodeError } from '../json-rpc';
import { SolanaNode } from '../solana-node';

export const solanaChain: Chain = findChain('solana')!;
export const mainGenesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const hashOf = (name: string) => createHash('sha256').update(name).digest();
/** An address without a known key. */
export const namedAddress = (name: string): string => addressFromBytes(hashOf(name));

export const programAddress = namedAddress('program');
export const payerAddress = namedAddress('payer');

/** An order of 2 SOL and a fee. */
export function exampleOrder(changes: Partial<SolanaPaymentOrder> = {}): SolanaPaymentOrder {
  return {
    order_id: randomUUID(),
    token_in: 'SOL',
    token_out: 'SOL',
    amount_in: 2_000_005_000n,
    token_in_address: systemProgram,
    merchant: namedAddress('merchant'),
    merchant_amount: 2_000_000_000n,
    fee_receiver: namedAddress('fee receiver'),
    fee_amount: 5_000n,
    deadline: 1_800_000_000n,
    ...changes,
  };
}

export interface FakeTransaction {
  signature: string;
  slot: number;
  err: unknown;
  instructions: readonly Instruction[];
  /** Instructions that the first instruction calls. */
  inner: readonly Instruction[];
}

type Answer = (params: readonly any[]) => unknown;

/**
 * A cluster with a block in each slot, from the view of one node. Tests change its fields, and replace answers by
 * method.
 */
export class FakeChain {
  confirmed = 100;
  finalized = 69;
  first = 0;
  genesis = mainGenesis;
  /** Blocks from this slot on belong to another fork. */
  forkedFrom = Infinity;
  readonly skipped = new Set<number>();
  readonly transactions: FakeTransaction[] = [];
  readonly answers: Record<string, Answer> = {};
  /** The methods that were called. */
  readonly calls: string[] = [];

  get node(): SolanaNode {
    const call = async <T>(method: string, params: readonly unknown[], read: (result: unknown) => T) => {
      const result = parseExactJson(JSON.stringify(this.answer(method, params)));
      return readReply('fake', () => read(result));
    };
    return new SolanaNode(solanaChain, 'http://fake', 1, { provider: 'fake', call });
  }

  /** @throws NodeError when the node returns an error */
  answer(method: string, params: readonly any[]): unknown {
    this.calls.push(method);
    const answer = this.answers[method] ?? this.usual[method];
    if (!answer) throw new NodeError('fake', -32_601);
    return answer(params);
  }

  /** Adds a transaction. Its signature depends on its number. */
  add(slot: number, changes: Partial<FakeTransaction> = {}): FakeTransaction {
    const name = `transaction ${this.transactions.length}`;
    const signature = base58.encode(Buffer.concat([hashOf(name), hashOf(`${name}, second half`)]));
    const added = { signature, slot, err: null, instructions: [], inner: [], ...changes };
    this.transactions.push(added);
    return added;
  }

  pay(slot: number, order = exampleOrder(), program = programAddress): FakeTransaction {
    return this.add(slot, { instructions: [payInstruction(program, order, payerAddress)] });
  }

  hash(slot: number): string {
    return namedAddress(`block ${slot}${slot >= this.forkedFrom ? ' of the other fork' : ''}`);
  }

  block(slot: number) {
    let parentSlot = Math.max(0, slot - 1);
    while (this.skipped.has(parentSlot)) parentSlot--;
    return {
      blockhash: this.hash(slot),
      previousBlockhash: this.hash(parentSlot),
      parentSlot,
      blockTime: 1_700_000_000 + Math.floor(slot * 0.4),
      blockHeight: slot,
    };
  }

  private readonly usual: Record<string, Answer> = {
    getGenesisHash: () => this.genesis,
    getSlot: ([{ commitment }]) => (commitment === 'finalized' ? this.finalized : this.confirmed),
    getFirstAvailableBlock: () => this.first,
    getBlocks: ([from, to]) => {
      const slots = [];
      for (let slot = from; slot <= Math.min(to, this.confirmed); slot++)
        if (!this.skipped.has(slot)) slots.push(slot);
      return slots;
    },
    getBlock: ([slot]) => {
      if (slot > this.confirmed) throw new NodeError('fake', -32_004);
      if (this.skipped.has(slot) || slot < this.first) throw new NodeError('fake', -32_007);
      return this.block(slot);
    },
    getSignaturesForAddress: ([address, options]) => this.list(address, options),
    getTransaction: ([signature]) => {
      const found = this.transactions.find((it) => it.signature === signature);
      return found && found.slot <= this.confirmed ? transactionJson(found) : null;
    },
    getSignatureStatuses: ([signatures]) => ({
      context: { slot: this.confirmed },
      value: signatures.map(() => null),
    }),
  };

  private list(address: string, { before, limit, minContextSlot }: any): object[] {
    if (minContextSlot > this.confirmed) throw new NodeError('fake', -32_016);
    const mentioned = this.transactions.filter(
      ({ slot, instructions, inner }) =>
        slot >= this.first &&
        slot <= this.confirmed &&
        [...instructions, ...inner].some(({ programId }) => programId === address),
    );
    const newestFirst = mentioned.sort((one, other) => other.slot - one.slot);
    const start = before === undefined ? 0 : newestFirst.findIndex((it) => it.signature === before) + 1;
    return newestFirst
      .slice(start, start + limit)
      .map(({ signature, slot, err }) => ({ signature, slot, err, memo: null, blockTime: 0 }));
  }
}

/** Returns the result of `getTransaction` with the encoding `json`. */
export function transactionJson({ signature, slot, err, instructions, inner }: FakeTransaction) {
  const all = [...instructions, ...inner];
  const accounts = [
    ...new Set([
      payerAddress,
      ...all.flatMap(({ programId, accounts: used }) => [...used.map((it) => it.address), programId]),
    ]),
  ];
  const toJson = ({ programId, accounts: used, data }: Instruction) => ({
    programIdIndex: accounts.indexOf(programId),
    accounts: used.map((it) => accounts.indexOf(it.address)),
    data: base58.encode(data),
    stackHeight: null,
  });
  const balances = accounts.map(() => 1_000_000_000);
  return {
    slot,
    blockTime: 1_700_000_000,
    version: 'legacy',
    transaction: {
      signatures: [signature],
      message: {
        header: {
          numRequiredSignatures: 1,
          numReadonlySignedAccounts: 0,
          numReadonlyUnsignedAccounts: 0,
        },
        accountKeys: accounts,
        recentBlockhash: namedAddress('recent'),
        instructions: instructions.map(toJson),
      },
    },
    meta: {
      err,
      fee: 5_000,
      preBalances: balances,
      postBalances: balances,
      preTokenBalances: [] as object[],
      postTokenBalances: [] as object[],
      innerInstructions: inner.length === 0 ? [] : [{ index: 0, instructions: inner.map(toJson) }],
      logMessages: [],
      loadedAddresses: { writable: [], readonly: [] },
    },
  };
}
