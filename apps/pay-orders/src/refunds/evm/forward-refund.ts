import { Inject, Injectable } from '@nestjs/common';
import {
  broadcast,
  estimateGas,
  feesFor,
  maxTransactionGas,
  minedCount,
  raisedFees,
  readGasPrice,
  signCall,
  tokenBalance,
  tokenTransfers,
  type EvmReceipt,
  type FeeBounds,
  type GasPrice,
  type RelayCall,
} from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import { FindSender } from './find-sender';
import type { ManualReason } from '../refund';
import { RefundAccounts } from './refund-accounts';
import { dataFeeOf, transferCall } from './refund-chain';
import { coinsToForward, offerWithin, type ForwardCosts } from './refund-gas';
import { RefundPlaces, type RefundPlace } from './refund-places';
import { RefundWorth } from './refund-worth';
import { RefundsRepository, type DueRefund, type RefundTransaction } from '../refunds.repository';

/** A refund and its chain, for the steps of one attempt. */
interface Attempt {
  refund: DueRefund;
  place: RefundPlace;
}

/** A transaction as it could be sent now. */
interface Offer {
  call: RelayCall;
  amountAtomic: bigint;
  /** Coins that it leaves on its address for its own gas. */
  reserveAtomic: bigint;
}

type Outcome = Offer | { wait: string } | { reason: ManualReason; detail?: string } | { lacking: bigint };

// Pauses of a refund that cannot be sent now: gas may become cheaper, or an operator may fund the wallet.
const [retryMs, longestRetryMs] = [15_000, 12 * 60 * 60_000];
// Raise the fees of a transaction that is in no block after this time.
const raiseAfterMs = 30_000;
// A deposit that no node shows after this time does not exist.
const unreadableAfterMs = 60 * 60_000;
// A final amount that is missing for this long was moved with the phrase, outside of this worker.
const goneAfterMs = 60 * 60_000;
// An estimate holds for its block only: add a tenth.
const [gasRoom, ofGasRoom] = [11n, 10n];
// Ten times the gas of a usual token transfer.
const mostGas = 500_000n;
// Each costs gas: one for the gas payment, one for the transfer, and some that revert.
const mostNonces = 6;

/** Advances a refund as far as the chain allows. Each step is stored before the next, and can be repeated. */
@Injectable()
export class ForwardRefund {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly accounts: RefundAccounts,
    private readonly places: RefundPlaces,
    private readonly senders: FindSender,
    private readonly worth: RefundWorth,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** @throws RpcError when the chain does not answer: nothing changes, retry */
  async follow(refund: DueRefund): Promise<void> {
    const attempt = { refund, place: this.places.find(refund.chain, refund.token) };
    if (refund.state === 'arrived') await this.findSender(attempt);
    else if (refund.state === 'ready') await this.send(attempt);
    else await this.watch(attempt);
  }

  private async findSender(attempt: Attempt): Promise<void> {
    const { refund, place } = attempt;
    const arrived = await this.arrived(attempt);
    if (arrived === 0n) return this.waitForMoney(attempt);
    // An operator may have paid this amount from another account.
    if (refund.isAfterClosed) return this.leaveToOperator(attempt, 'CLOSED_BEFORE', { arrived });
    const found = await this.senders.find(refund, place, arrived);
    if (found === 'pending') {
      if (this.clock.now() - refund.createdAtMs > unreadableAfterMs)
        return this.leaveToOperator(attempt, 'DEPOSIT_UNREADABLE');
      return this.refunds.postpone(refund.id, this.patience(refund), 'the deposit is not final');
    }
    if ('reason' in found) return this.leaveToOperator(attempt, found.reason, { arrived });
    await this.refunds.senderFound(refund, found.sender, arrived);
  }

  private async send(attempt: Attempt): Promise<void> {
    const { refund, place } = attempt;
    const wallet = this.accounts.walletOf(refund.addressIndex);
    if (wallet.address !== refund.address) return this.leaveToOperator(attempt, 'OTHER_PHRASE');
    if ((await this.refunds.noncesOf(refund.id)) >= mostNonces)
      return this.leaveToOperator(attempt, 'TOO_MANY_TRIES');
    const standing = await this.arrived(attempt);
    if (standing === 0n) return this.waitForMoney(attempt);
    // Amounts that arrived after the recipient was set may have another sender: they become a refund of their own.
    const arrived = standing < refund.amountAtomic ? standing : refund.amountAtomic;
    const price = await readGasPrice(place.rpc);
    const outcome = await this.offer(attempt, arrived, price);
    if ('reason' in outcome) return this.leaveToOperator(attempt, outcome.reason, outcome);
    if ('wait' in outcome) return this.refunds.postpone(refund.id, this.patience(refund), outcome.wait);
    if ('lacking' in outcome) return this.payGas(attempt, outcome.lacking, price);
    await this.store(attempt, 'forwardSigned', wallet, outcome);
  }

  /** The transfer to the sender as it could be sent now, or what prevents it. */
  private async offer(attempt: Attempt, arrived: bigint, price: GasPrice): Promise<Outcome> {
    const { refund, place } = attempt;
    const { rpc, token } = place;
    const isCoin = token.address === null;
    const call = callOf(refund, token.address, isCoin ? 1n : arrived);
    const tried = await estimateGas(rpc, { from: refund.address, ...call });
    if ('reason' in tried) return { reason: 'TRANSFER_REJECTED', detail: tried.reason };
    const gasLimit = (tried.gasUnits * gasRoom) / ofGasRoom;
    if (gasLimit > mostGas) return { reason: 'TOO_MUCH_GAS' };
    const worthWei = isCoin ? arrived : this.worth.weiOf(place, arrived);
    const fees = feesFor(price, this.boundsOf(gasLimit, worthWei));
    if (!fees)
      return {
        wait: 'gas costs more at present than the refund is worth, or than the most that may be offered',
      };
    const leastPerGas = (price.baseFeePerGas ?? 0n) + fees.maxPriorityFeePerGas;
    const costs: ForwardCosts = { gasLimit, fees, leastPerGas, dataFee: await dataFeeOf(rpc) };
    return isCoin
      ? coinOffer(attempt, arrived, costs, price)
      : tokenOffer(attempt, arrived, costs, price, await tokenBalance(rpc, refund.address, null, 'latest'));
  }

  /** Pays coins for gas to the address that holds the tokens. */
  private async payGas(attempt: Attempt, valueAtomic: bigint, price: GasPrice): Promise<void> {
    const { refund, place } = attempt;
    const { rpc, chain } = place;
    const { gasWallet } = this.accounts;
    const to = refund.address;
    const tried = await estimateGas(rpc, { from: gasWallet.address, to, data: '0x', valueAtomic });
    const held = await tokenBalance(rpc, gasWallet.address, null, 'latest');
    const gasLimit = 'reason' in tried ? maxTransactionGas : (tried.gasUnits * gasRoom) / ofGasRoom;
    const fees = feesFor(price, this.boundsOf(gasLimit, undefined));
    if ('reason' in tried || !fees || held < valueAtomic + gasLimit * fees.maxFeePerGas) {
      this.logger.error(
        { chain: chain.id, wallet: gasWallet.address },
        'refund gas wallet cannot pay for gas',
      );
      return this.refunds.postpone(refund.id, retryMs, 'the wallet of REFUND_GAS_KEY cannot pay for the gas');
    }
    const isLegacy = price.baseFeePerGas === null;
    const call = { chainId: chain.chainId, to, data: '0x', valueAtomic, gasLimit, fees, isLegacy };
    await this.store(attempt, 'gasSigned', gasWallet, { call, amountAtomic: valueAtomic, reserveAtomic: 0n });
  }

  /** Stores the transaction before it is sent, so that a crash in between only sends it again. */
  private async store(
    { refund, place }: Attempt,
    event: 'gasSigned' | 'forwardSigned',
    wallet: Pick<RefundAccounts['gasWallet'], 'address' | 'signTransaction'>,
    { call, amountAtomic, reserveAtomic }: Offer,
  ): Promise<void> {
    const { rpc, chain } = place;
    const signed = await this.refunds.add(refund, event, {
      ...{ chain: chain.id, sender: wallet.address, amountAtomic, reserveAtomic },
      minedCount: await minedCount(rpc, wallet.address, 'latest'),
      sign: (nonce) => signCall(wallet, call, nonce),
    });
    if (!signed) return;
    await broadcast(rpc, signed.raw);
    await this.refunds.postpone(refund.id, chain.pollIntervalMs);
  }

  private async watch(attempt: Attempt): Promise<void> {
    const { refund, place } = attempt;
    const { rpc, chain } = place;
    const sent = await this.refunds.transactionsOf(refund);
    const { head, receipts } = await rpc.headAndReceipts(sent.map(({ hash }) => hash));
    const at = receipts.findIndex((it) => it !== null);
    const receipt = receipts[at];
    if (!receipt) return this.resend(attempt, sent, head.height);
    if (head.height - receipt.height + 1 < chain.confirmations)
      return this.refunds.postpone(refund.id, chain.pollIntervalMs);
    if (refund.state === 'funding') return void (await this.refunds.gasSettled(refund));
    return this.settle(attempt, sent[at]!, receipt);
  }

  /** A token may succeed without a transfer: only its event counts. */
  private async settle(
    { refund, place }: Attempt,
    sent: RefundTransaction,
    receipt: EvmReceipt,
  ): Promise<void> {
    const contract = place.token.address;
    const isPaid =
      receipt.succeeded &&
      (contract === null ||
        tokenTransfers(receipt.logs, contract, refund.recipient!, receipt.txHash).some(
          ({ from, amountAtomic }) => from === refund.address && amountAtomic === sent.amountAtomic,
        ));
    if (!isPaid) {
      await this.refunds.reverted(refund);
      return this.logger.warn(
        { refundId: refund.id, txHash: receipt.txHash },
        'refund transfer failed on the chain',
      );
    }
    const { hash: txHash, amountAtomic } = sent;
    const leftoverAtomic = contract === null ? leftoverOf(sent, receipt) : 0n;
    await this.refunds.forwarded(refund, { txHash, height: receipt.height, amountAtomic, leftoverAtomic });
    this.logger.info({ refundId: refund.id, orderId: refund.orderId, txHash }, 'refund forwarded');
    this.outbox.wake();
  }

  /** In no block: pending, dropped, underpriced, or its nonce was used by another transaction. */
  private async resend(attempt: Attempt, sent: readonly RefundTransaction[], head: number): Promise<void> {
    const { refund, place } = attempt;
    const { rpc, chain } = place;
    const newest = sent.at(-1)!;
    const final = Math.max(0, head - chain.confirmations + 1);
    if ((await minedCount(rpc, newest.sender, final)) > newest.nonce) {
      const about = { refundId: refund.id, sender: newest.sender, nonce: newest.nonce };
      this.logger.error(about, 'refund nonce was used by another transaction');
      return refund.state === 'funding'
        ? void (await this.refunds.gasSettled(refund))
        : this.leaveToOperator(attempt, 'NONCE_USED');
    }
    await this.raise(attempt, newest);
    await broadcast(rpc, newest.raw);
    return this.refunds.postpone(refund.id, chain.pollIntervalMs);
  }

  private async raise(attempt: Attempt, newest: RefundTransaction): Promise<void> {
    if (this.clock.now() - newest.createdAtMs < raiseAfterMs) return;
    const { refund, place } = attempt;
    const price = await readGasPrice(place.rpc);
    const offer =
      refund.state === 'funding'
        ? this.raisedGas(attempt, newest, price)
        : await this.raisedForward(attempt, newest, price);
    const wallet =
      refund.state === 'funding' ? this.accounts.gasWallet : this.accounts.walletOf(refund.addressIndex);
    // The key was replaced since: this transaction cannot be replaced.
    if (!offer || wallet.address !== newest.sender) return;
    const signed = await signCall(wallet, offer.call, newest.nonce);
    const { amountAtomic, reserveAtomic } = offer;
    const replacing = { chain: place.chain.id, sender: newest.sender, amountAtomic, reserveAtomic };
    if (await this.refunds.replace(refund.id, replacing, signed)) await broadcast(place.rpc, signed.raw);
  }

  private raisedGas(
    { refund, place }: Attempt,
    newest: RefundTransaction,
    price: GasPrice,
  ): Offer | undefined {
    const { gasLimit, amountAtomic } = newest;
    const fees = raisedFees(newest.fees, price, this.boundsOf(gasLimit, undefined));
    if (!fees) return undefined;
    const isLegacy = price.baseFeePerGas === null;
    const to = refund.address;
    const call = {
      chainId: place.chain.chainId,
      to,
      data: '0x',
      valueAtomic: amountAtomic,
      gasLimit,
      fees,
      isLegacy,
    };
    return { call, amountAtomic, reserveAtomic: 0n };
  }

  /** Raises fees within the coins of the refund address; beyond them the transaction waits for cheaper gas. */
  private async raisedForward(
    { refund, place }: Attempt,
    newest: RefundTransaction,
    price: GasPrice,
  ): Promise<Offer | undefined> {
    const { rpc, chain, token } = place;
    const { gasLimit } = newest;
    const [coins, dataFee] = await Promise.all([
      tokenBalance(rpc, refund.address, null, 'latest'),
      dataFeeOf(rpc),
    ]);
    const covered = coins > dataFee ? (coins - dataFee) / gasLimit : 0n;
    const bounds = this.boundsOf(gasLimit, token.address === null ? coins : undefined);
    const maxWeiPerGas = covered < bounds.maxWeiPerGas ? covered : bounds.maxWeiPerGas;
    const fees = raisedFees(newest.fees, price, { ...bounds, maxWeiPerGas });
    if (!fees) return undefined;
    const spared = gasLimit * (fees.maxFeePerGas - newest.fees.maxFeePerGas);
    const amountAtomic = token.address === null ? newest.amountAtomic - spared : newest.amountAtomic;
    if (amountAtomic <= 0n) return undefined;
    const isLegacy = price.baseFeePerGas === null;
    const call = callOf(refund, token.address, amountAtomic);
    const reserveAtomic = newest.reserveAtomic + newest.amountAtomic - amountAtomic;
    return {
      call: { ...call, chainId: chain.chainId, gasLimit, fees, isLegacy },
      amountAtomic,
      reserveAtomic,
    };
  }

  /** The final balance of the address, 0 where it is only a leftover of gas. */
  private async arrived({ refund, place }: Attempt): Promise<bigint> {
    const { rpc, chain, token } = place;
    const { height } = await rpc.head();
    const final = Math.max(0, height - chain.confirmations + 1);
    if (final < refund.settledHeight) return 0n;
    const held = await tokenBalance(rpc, refund.address, token.address, final);
    return held > refund.leftoverAtomic ? held : 0n;
  }

  /** A lagging node shows less; an amount that stays away was moved by other means. */
  private async waitForMoney(attempt: Attempt): Promise<void> {
    const { refund } = attempt;
    if (this.clock.now() - refund.createdAtMs > goneAfterMs)
      return this.leaveToOperator(attempt, 'MONEY_GONE');
    return this.refunds.postpone(refund.id, this.patience(refund), 'the money is not final');
  }

  /** @param arrived the balance of the address, where it was read */
  private async leaveToOperator(
    { refund }: Attempt,
    reason: ManualReason,
    { detail, arrived }: { detail?: string; arrived?: bigint } = {},
  ): Promise<void> {
    if (
      !(await this.refunds.leaveToOperator(
        { ...refund, amountAtomic: arrived ?? refund.amountAtomic },
        reason,
        detail,
      ))
    )
      return;
    this.logger.warn(
      { refundId: refund.id, orderId: refund.orderId, reason },
      'refund waits for an operator',
    );
  }

  private boundsOf(gasUnits: bigint, worthWei: bigint | undefined): FeeBounds {
    const { maxWeiPerGas, tipPerGas } = this.accounts.options;
    return { maxWeiPerGas, worthWei, gasUnits, tipPerGas };
  }

  /** Grows with the age of the refund. */
  private patience({ createdAtMs, chain, token }: DueRefund): number {
    const { pollIntervalMs } = this.places.find(chain, token).chain;
    const ageMs = this.clock.now() - createdAtMs;
    return Math.min(Math.max(pollIntervalMs, ageMs / 4), longestRetryMs);
  }
}

const callOf = (
  { recipient }: DueRefund,
  tokenAddress: string | null,
  amountAtomic: bigint,
): { to: string; data: string; valueAtomic: bigint } =>
  tokenAddress === null
    ? { to: recipient!, data: '0x', valueAtomic: amountAtomic }
    : { to: tokenAddress, data: transferCall(recipient!, amountAtomic), valueAtomic: 0n };

function coinOffer(
  { refund, place }: Attempt,
  arrived: bigint,
  costs: ForwardCosts,
  price: GasPrice,
): Outcome {
  const amountAtomic = coinsToForward(arrived, costs);
  if (amountAtomic === undefined) return { wait: 'gas costs more at present than the refund is worth' };
  const isLegacy = price.baseFeePerGas === null;
  const { gasLimit, fees } = costs;
  const call = callOf(refund, null, amountAtomic);
  const reserveAtomic = arrived - amountAtomic;
  const { chainId } = place.chain;
  return { call: { ...call, chainId, gasLimit, fees, isLegacy }, amountAtomic, reserveAtomic };
}

function tokenOffer(
  { refund, place }: Attempt,
  arrived: bigint,
  costs: ForwardCosts,
  price: GasPrice,
  coins: bigint,
): Outcome {
  const offered = offerWithin(coins, costs);
  if ('lacking' in offered) return offered;
  const isLegacy = price.baseFeePerGas === null;
  const { gasLimit } = costs;
  const call = callOf(refund, place.token.address, arrived);
  const { chainId } = place.chain;
  return {
    call: { ...call, chainId, gasLimit, fees: offered.fees, isLegacy },
    amountAtomic: arrived,
    reserveAtomic: 0n,
  };
}

/** The most that can remain of the amount reserved for gas. */
const leftoverOf = ({ reserveAtomic }: RefundTransaction, { gasUsed, gasPriceAtomic }: EvmReceipt): bigint =>
  reserveAtomic - gasUsed * (gasPriceAtomic ?? 0n);
