import { Inject, Injectable } from '@nestjs/common';
import {
  broadcast,
  estimateGas,
  feesFor,
  maxTransactionGas,
  minedCount,
  raisedFees,
  readGasPrice,
  type EvmReceipt,
  type FeeBounds,
  type GasPrice,
  type RelayCall,
} from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import type { StoredPayout } from '../payout';
import { PayoutChains, type PayoutChain } from '../payout-chains';
import { PayoutsRepository } from '../payouts.repository';
import { linesOf, type Batch, type Sending } from './batch';
import { outcomeIn, topicsOf, type BatchOutcome } from './batch-outcome';
import { PayoutPrices } from './payout-prices';
import { isNonceUsed } from './relay-chain';
import { RelayerAccount } from './relayer-account';
import { RelaysRepository, type DueBatch, type Relay } from './relays.repository';
import { payOutCall, type BatchTerms } from './typed-data';

/** What the steps of one look share. */
interface Look {
  due: DueBatch;
  payout: StoredPayout & { sending: Sending };
  batch: Batch;
  terms: BatchTerms;
  place: PayoutChain;
}

// Between looks at what cannot be sent now: its owner may move money in, or gas become cheaper.
const retryMs = 15_000;
// A transaction that is still in no block is offered more for, if its fee allows.
const raiseAfterMs = 30_000;
// An estimate is what was enough on that block.
const [gasRoom, ofGasRoom] = [11n, 10n];
const tooMuchGas = 'it takes more gas at present than a transaction may have';
// A revert costs gas: a payer who withdraws the money in the same block each time must not drain the relayer.
const mostReverted = 3;
const revertedOften = `it has reverted ${mostReverted} times: it is not sent again, but counts if another account relays it`;
const tooDear = 'gas costs more at present than the fee covers';

/** Brings a batch as far as the chain lets it. Each step is stored before the next, and may be repeated. */
@Injectable()
export class RelayBatch {
  constructor(
    private readonly payouts: PayoutsRepository,
    private readonly relays: RelaysRepository,
    private readonly chains: PayoutChains,
    private readonly account: RelayerAccount,
    private readonly prices: PayoutPrices,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** @throws RpcError when the chain does not answer; nothing is known then, and nothing changes */
  async follow(due: DueBatch): Promise<void> {
    const look = await this.read(due);
    if (look?.batch.status === 'ready') await this.send(look);
    else if (look?.batch.status === 'sending') await this.watch(look);
  }

  private async read(due: DueBatch): Promise<Look | undefined> {
    const payout = await this.payouts.find(due.payoutId);
    const place = payout && this.chains.find(payout.chain);
    if (!payout?.sending || !place) throw new Error('a batch has no chain any more');
    const batch = payout.sending.batches[due.index]!;
    const terms = termsOf({ ...payout, sending: payout.sending }, batch, place.chain.chainId);
    return { due, payout: { ...payout, sending: payout.sending }, batch, terms, place };
  }

  private async send(look: Look): Promise<void> {
    const { due, place } = look;
    const { rpc, chain } = place;
    if ((await this.relays.noncesOf(due)) >= mostReverted) return this.decide(look, null, revertedOften);
    const call = callOf(look);
    const tried = await estimateGas(rpc, { from: this.account.address, ...call });
    if ('reason' in tried) return this.decide(look, null, tried.reason);
    const gasLimit = (tried.gasUnits * gasRoom) / ofGasRoom;
    const price = await readGasPrice(rpc);
    const fees = feesFor(price, this.boundsOf(look, tried.gasUnits));
    if (gasLimit > maxTransactionGas) return this.relays.postpone(due, retryMs, tooMuchGas);
    if (!fees) return this.relays.postpone(due, retryMs, tooDear);
    const relayer = { chain: chain.id, address: this.account.address };
    const mined = await minedCount(rpc, relayer.address, 'latest');
    const isLegacy = price.baseFeePerGas === null;
    // Stored first, and sent then: whatever happens in between, the same transaction is sent again.
    const relay = await this.relays.add(due, relayer, mined, (nonce) =>
      this.account.sign({ ...call, chainId: chain.chainId, gasLimit, fees, isLegacy }, nonce),
    );
    if (!relay) return;
    await broadcast(rpc, relay.raw);
    await this.relays.postpone(due, chain.pollIntervalMs);
  }

  private async watch(look: Look): Promise<void> {
    const { due, place } = look;
    const { rpc, chain } = place;
    const relays = await this.relays.relaysOf(due);
    const { head, receipts } = await rpc.headAndReceipts(relays.map(({ hash }) => hash));
    const receipt = receipts.find((it) => it !== null);
    if (!receipt) return this.resend(look, relays, head.height);
    if (head.height - receipt.height + 1 < chain.confirmations)
      return this.relays.postpone(due, chain.pollIntervalMs);
    const outcome = this.outcomeOf(look, receipt);
    if (outcome) return this.paid(look, outcome);
    return this.decide(look, relays[0]!.nonce, 'its transaction reverted');
  }

  /** In no block: waiting in a pool, lost, offering too little, or of a nonce that another transaction has used. */
  private async resend(look: Look, relays: readonly Relay[], head: number): Promise<void> {
    const { due, place } = look;
    const { rpc, chain } = place;
    const [newest, { nonce }] = [relays.at(-1)!, relays[0]!];
    const final = Math.max(0, head - chain.confirmations + 1);
    if ((await minedCount(rpc, newest.relayer, final)) > nonce) {
      this.logger.error(
        { payoutId: due.payoutId, batch: due.index, nonce },
        'relayer nonce used by an unknown transaction, key used elsewhere',
      );
      return this.decide(look, nonce, 'the relayer sent something else in its place');
    }
    await this.raise(look, newest);
    await broadcast(rpc, newest.raw);
    return this.relays.postpone(due, chain.pollIntervalMs);
  }

  private async raise(look: Look, newest: Relay): Promise<void> {
    // Sent with a key that was replaced meanwhile, it stays as it is.
    const isOurs = newest.relayer === this.account.address;
    if (!isOurs || this.clock.now() - newest.createdAtMs < raiseAfterMs) return;
    const { rpc, chain } = look.place;
    const price: GasPrice = await readGasPrice(rpc);
    const { gasLimit, nonce } = newest;
    const fees = raisedFees(newest.fees, price, this.boundsOf(look, gasLimit));
    if (!fees) return;
    const isLegacy = price.baseFeePerGas === null;
    const call: RelayCall = { ...callOf(look), chainId: chain.chainId, gasLimit, fees, isLegacy };
    const relay = await this.account.sign(call, nonce);
    const relayer = { chain: chain.id, address: this.account.address };
    if (await this.relays.replace(look.due, relayer, relay)) await broadcast(rpc, relay.raw);
  }

  /**
   * What is known of a batch that no transaction of ours can pay as it is: another account relayed it, it
   * cannot be paid any more, or it is tried again. Only blocks that stay are asked.
   * @param nonce of the relayer, which is used up for good; null when there is none
   */
  private async decide(look: Look, nonce: number | null, reason: string): Promise<void> {
    const { due, payout, place, terms } = look;
    const { rpc, chain } = place;
    const head = await rpc.head();
    const height = Math.max(0, head.height - chain.confirmations + 1);
    if (await isNonceUsed(rpc, payout.wallet, terms, height)) {
      const outcome = await this.findPaid(look, height);
      if (outcome) return this.paid(look, outcome);
      return this.failed(look, 'the wallet has used or cancelled this permission on the chain');
    }
    const final = await rpc.blockByNumber(height);
    if (final && final.timestamp > terms.deadline)
      return this.failed(look, `${reason}, and its time is over`);
    if (nonce === null) return this.relays.postpone(due, retryMs, reason);
    return this.relays.releaseNonce(due, nonce, retryMs, reason);
  }

  /** Anybody may relay what was signed: then the event stands in a transaction that is not ours. */
  private async findPaid(look: Look, toBlock: number): Promise<BatchOutcome | undefined> {
    const { due, payout, terms, place } = look;
    const fromBlock = Math.min(await this.relays.fromHeight(due.payoutId), toBlock);
    const topics = topicsOf(terms, payout.wallet);
    const address = terms.contract.toLowerCase();
    const events = await place.rpc.logs({ address, topics, fromBlock, toBlock });
    for (const { txHash } of events) {
      const receipt = await place.rpc.receipt(txHash);
      const outcome = receipt && this.outcomeOf(look, receipt);
      if (outcome) return outcome;
      // The node that answered is behind the one that knew the event.
      if (!receipt) throw new Error('a transaction has an event and no receipt');
    }
    return undefined;
  }

  private outcomeOf({ terms, payout }: Look, { succeeded, logs }: EvmReceipt): BatchOutcome | undefined {
    return succeeded ? outcomeIn(logs, terms, payout.wallet) : undefined;
  }

  private async paid({ due, batch }: Look, outcome: BatchOutcome): Promise<void> {
    await this.relays.paid(due, batch.firstPlace, outcome);
    this.outbox.wake();
  }

  private async failed({ due }: Look, reason: string): Promise<void> {
    await this.relays.failed(due, reason);
    this.logger.warn({ payoutId: due.payoutId, batch: due.index, reason }, 'a batch of a payout failed');
    this.outbox.wake();
  }

  private boundsOf({ payout, terms, batch }: Look, gasUnits: bigint): FeeBounds {
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

export function termsOf(
  { id, plan, sending }: StoredPayout & { sending: Sending },
  batch: Batch,
  chainId: number,
): BatchTerms {
  const { tokenAddress, contract, deadline } = sending;
  const { index, totalAtomic, feeAtomic } = batch;
  const lines = linesOf(plan, batch);
  return { payoutId: id, index, chainId, contract, tokenAddress, lines, totalAtomic, feeAtomic, deadline };
}

const callOf = ({ terms, payout, batch }: Look): { to: string; data: string } => ({
  to: terms.contract,
  data: payOutCall(terms, payout.wallet, batch.signature!),
});
