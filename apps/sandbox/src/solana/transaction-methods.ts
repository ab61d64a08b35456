import { MalformedTransaction, parseMessage, parseTransaction } from '@tollbridge/onchain/solana';
import { accountJson } from './accounts.wire';
import { sandboxSolanaKey, type SolanaKey } from './genesis';
import { memoProgram } from './memo-program';

import { readContext, withContext, type RpcMethods } from './rpc-context';
import {
  addressParam,
  bytesParam,
  commitmentIn,
  configParam,
  countParam,
  listParam,
  signatureParam,
  textParam,
  type Config,
} from './rpc-params';
import { transferTransaction } from './transfer-transaction';
import type { SolanaChain } from './solana-chain';
import { invalidParams } from './solana-rejection';
import type { StoredTransaction } from './solana.repository';
import { transactionJson } from './transactions.wire';

const mostStatuses = 256;
const mostSignatures = 1_000;
const signatureFee = 5_000n;

/** Methods of a node that send and read transactions: https://solana.com/docs/rpc/http */
export class TransactionMethods {
  private readonly faucet: SolanaKey = sandboxSolanaKey('faucet');

  constructor(private readonly chain: SolanaChain) {}

  readonly methods: RpcMethods = {
    sendTransaction: async ([text, config]) => {
      const { encoding = 'base58', skipPreflight } = configParam(config);
      const wire = bytesParam(text, encoding);
      return readable(() => this.chain.send(wire, skipPreflight === true));
    },
    simulateTransaction: async ([text, config]) => this.simulate(text, configParam(config)),
    requestAirdrop: async ([address, lamports]) => {
      const slot = await this.chain.slot('confirmed');
      const { blockhash } = (await this.chain.slots()).block(slot);
      const wire = transferTransaction(
        this.faucet,
        addressParam(address),
        BigInt(countParam(lamports)),
        blockhash,
      );
      return this.chain.send(wire, false);
    },
    getSignatureStatuses: async ([signatures]) => {
      const wanted = listParam(signatures, mostStatuses).map(signatureParam);
      const slot = await this.chain.slot('confirmed');
      return withContext(slot, await Promise.all(wanted.map((it) => this.status(it))));
    },
    getSignaturesForAddress: async ([address, config]) =>
      this.signatures(addressParam(address), configParam(config)),
    getTransaction: async ([signature, config]) =>
      this.transaction(signatureParam(signature), configParam(config)),
    getFeeForMessage: async ([text, config]) => {
      const options = configParam(config);
      const slot = await readContext(this.chain, commitmentIn(options), options);
      const message = await readable(async () => parseMessage(bytesParam(text, 'base64')));
      const isRecent = (await this.chain.slots()).isRecent(message.recentBlockhash, slot);
      return withContext(slot, isRecent ? signatureFee * BigInt(message.numRequiredSignatures) : null);
    },
  };

  /** Returns the status of a transaction; null while no block contains it. */
  async status(
    signature: string,
  ): Promise<{ slot: number; err: unknown; confirmationStatus: string } | null> {
    const stored = await this.visible(signature, await this.chain.slot('confirmed'));
    if (!stored) return null;
    const { slot, meta } = stored;
    const [head, final] = await Promise.all([this.chain.slot('confirmed'), this.chain.slot('finalized')]);
    const isFinal = slot <= final;
    const status = meta.err === null ? { Ok: null } : { Err: meta.err };
    const confirmations = isFinal ? null : head - slot;
    const rest = { confirmationStatus: isFinal ? 'finalized' : 'confirmed', status, confirmations };
    return { slot, err: meta.err, ...rest };
  }

  private async simulate(text: unknown, config: Config): Promise<object> {
    const { encoding = 'base58', sigVerify, replaceRecentBlockhash, accounts } = config;
    const slot = await readContext(this.chain, commitmentIn(config), config);
    const wire = bytesParam(text, encoding);
    const options = {
      verifiesSignatures: sigVerify === true,
      replacesBlockhash: replaceRecentBlockhash === true,
    };
    const { err, logMessages, computeUnitsConsumed, innerInstructions } = await readable(() =>
      this.chain.simulate(wire, options),
    );
    const slots = await this.chain.slots();
    const replacementBlockhash = options.replacesBlockhash && {
      blockhash: slots.block(slot).blockhash,
      lastValidBlockHeight: slots.lastValidBlockHeight(slot),
    };
    return withContext(slot, {
      err,
      logs: logMessages,
      unitsConsumed: computeUnitsConsumed,
      returnData: null,
      // The current state of the accounts, which may differ from the state after the transaction.
      accounts:
        accounts === undefined || accounts === null ? null : await this.accountsOf(configParam(accounts)),
      innerInstructions: config['innerInstructions'] === true ? innerInstructions : null,
      ...(replacementBlockhash && { replacementBlockhash }),
    });
  }

  private async accountsOf({ addresses, encoding = 'base64' }: Config): Promise<(object | null)[]> {
    const wanted = listParam(addresses, 100).map(addressParam);
    const found = await Promise.all(wanted.map((it) => this.chain.account(it)));
    return found.map((it) => (it ? accountJson(it, { encoding }, () => undefined) : null));
  }

  private async signatures(address: string, config: Config): Promise<object[]> {
    const commitment = commitmentIn(config);
    if (commitment === 'processed')
      throw invalidParams('Method does not support commitment below `confirmed`');
    const { limit = mostSignatures, before, until } = config;
    if (countParam(limit) < 1 || countParam(limit) > mostSignatures)
      throw invalidParams(`Invalid limit; max ${mostSignatures}`);
    const stored = await this.chain.stored.signatures({
      address,
      before: before === undefined || before === null ? undefined : signatureParam(before),
      until: until === undefined || until === null ? undefined : signatureParam(until),
      lastSlot: await readContext(this.chain, commitment, config),
      limit: countParam(limit),
    });
    const [slots, final] = await Promise.all([this.chain.slots(), this.chain.slot('finalized')]);
    return stored.map(({ signature, slot, meta: { err }, wire }) => ({
      signature,
      slot,
      err,
      memo: memoOf(wire),
      blockTime: slots.block(slot).blockTime,
      confirmationStatus: slot <= final ? 'finalized' : 'confirmed',
    }));
  }

  private async transaction(signature: string, config: Config): Promise<object | null> {
    const commitment = commitmentIn(config);
    if (commitment === 'processed')
      throw invalidParams('Method does not support commitment below `confirmed`');
    const stored = await this.visible(signature, await this.chain.slot(commitment));
    if (!stored) return null;
    const { encoding = 'json', maxSupportedTransactionVersion: max } = config;
    const maxVersion = max === undefined || max === null ? undefined : countParam(max);
    const { slot } = stored;
    const { blockTime } = (await this.chain.slots()).block(slot);
    return { slot, blockTime, ...transactionJson(stored, { encoding: textParam(encoding), maxVersion }) };
  }

  private async visible(signature: string, lastSlot: number): Promise<StoredTransaction | undefined> {
    const stored = await this.chain.stored.transaction(signature);
    return stored && stored.slot <= lastSlot ? stored : undefined;
  }
}

function memoOf(wire: Uint8Array): string | null {
  const { accountKeys, instructions } = parseTransaction(wire);
  const memos = instructions.flatMap(({ programIdIndex, data }) =>
    accountKeys[programIdIndex] === memoProgram ? [`[${data.length}] ${Buffer.from(data).toString()}`] : [],
  );
  return memos.length === 0 ? null : memos.join('; ');
}

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MalformedTransaction)
      throw invalidParams(`failed to deserialize solana_transaction: ${error.message}`);
    throw error;
  }
}
