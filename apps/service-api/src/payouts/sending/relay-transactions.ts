import { Inject, Injectable } from '@nestjs/common';
import {
  broadcast,
  estimateGas,
  feesFor,
  maxTransactionGas,
  minedCount,
  raisedFees,
  readGasPrice,
  type FeeBounds,
  type GasPrice,
  type RelayCall,
} from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { StoredPayout } from '../payout';
import type { PayoutChain } from '../payout-chains';
import type { Batch, Sending } from './batch';
import type { DueBatch } from './due-batches.repository';
import { PayoutPrices } from './payout-prices';
import { RelayerAccount } from './relayer-account';
import { RelaysRepository, type Relay } from './relays.repository';
import { payOutCall, type BatchTerms } from './typed-data';

/** The state that the steps of one poll share. */
export interface Poll {
  due: DueBatch;
  payout: StoredPayout & { sending: Sending };
  batch: Batch;
  terms: BatchTerms;
  place: PayoutChain;
}

/** `fails`: the transaction would revert. `waits`: it can be sent later. `taken`: another process has sent it. */
export type Sent = { outcome: 'sent' | 'taken' } | { outcome: 'fails' | 'waits'; reason: string };

// A transaction that is not mined by then is replaced at a higher price. The fee of the batch limits the price.
const raiseAfterMs = 30_000;
// Headroom above the gas estimate, which is valid only for its block.
const [gasRoom, ofGasRoom] = [11n, 10n];
const tooMuchGas = 'it takes more gas at present than a transaction may have';
const tooDear = 'gas costs more at present than the fee covers';

/** Signs, prices, stores and broadcasts the relayer's transactions that pay batches. The fee limits the gas price. */
@Injectable()
export class RelayTransactions {
  constructor(
    private readonly relays: RelaysRepository,
    private readonly account: RelayerAccount,
    private readonly prices: PayoutPrices,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Sends the first transaction of a nonce. @throws RpcError when the chain does not answer */
  async send(poll: Poll): Promise<Sent> {
    const { rpc, chain } = poll.place;
    const call = callOf(poll);
    const tried = await estimateGas(rpc, { from: this.account.address, ...call });
    if ('reason' in tried) return { outcome: 'fails', reason: tried.reason };
    const gasLimit = (tried.gasUnits * gasRoom) / ofGasRoom;
    const price = await readGasPrice(rpc);
    const fees = feesFor(price, this.boundsOf(poll, tried.gasUnits));
    if (gasLimit > maxTransactionGas) return { outcome: 'waits', reason: tooMuchGas };
    if (!fees) return { outcome: 'waits', reason: tooDear };
    const relayer = { chain: chain.id, address: this.account.address };
    const mined = await minedCount(rpc, relayer.address, 'latest');
    const isLegacy = price.baseFeePerGas === null;
    // Stored before it is broadcast: after a crash the same transaction is broadcast again.
    const relay = await this.relays.add(poll.due, relayer, mined, (nonce) =>
      this.account.sign({ ...call, chainId: chain.chainId, gasLimit, fees, isLegacy }, nonce),
    );
    if (!relay) return { outcome: 'taken' };
    await broadcast(rpc, relay.raw);
    return { outcome: 'sent' };
  }

  /** Broadcasts a transaction again. After a long wait, adds a replacement at a higher price. */
  async resend(poll: Poll, newest: Relay): Promise<void> {
    await this.raise(poll, newest);
    await broadcast(poll.place.rpc, newest.raw);
  }

  private async raise(poll: Poll, newest: Relay): Promise<void> {
    // A transaction of a former relayer key cannot be replaced.
    const isOurs = newest.relayer === this.account.address;
    if (!isOurs || this.clock.now() - newest.createdAtMs < raiseAfterMs) return;
    const { rpc, chain } = poll.place;
    const price: GasPrice = await readGasPrice(rpc);
    const { gasLimit, nonce } = newest;
    const fees = raisedFees(newest.fees, price, this.boundsOf(poll, gasLimit));
    if (!fees) return;
    const isLegacy = price.baseFeePerGas === null;
    const call: RelayCall = { ...callOf(poll), chainId: chain.chainId, gasLimit, fees, isLegacy };
    const relay = await this.account.sign(call, nonce);
    const relayer = { chain: chain.id, address: this.account.address };
    if (await this.relays.replace(poll.due, relayer, relay)) await broadcast(rpc, relay.raw);
  }

  private boundsOf({ payout, terms, batch }: Poll, gasUnits: bigint): FeeBounds {
    const { maxWeiPerGas, tipPerGas } = this.account.options;
    const token = { address: terms.tokenAddress, decimals: payout.decimals };
    return {
      maxWeiPerGas,
      tipPerGas,
      gasUnits,
      worthWei: this.prices.weiOf(payout.chain, token, batch.feeAtomic),
    };
  }
}

const callOf = ({ terms, payout, batch }: Poll): { to: string; data: string } => ({
  to: terms.contract,
  data: payOutCall(terms, payout.wallet, batch.signature!),
});
