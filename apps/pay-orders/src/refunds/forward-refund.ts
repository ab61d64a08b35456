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
  type EvmReceipt,
  type FeeBounds,
  type GasPrice,
  type RelayCall,
} from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import { tokenTransfers } from '../cross-chain/deliveries';
import { FindSender } from './find-sender';
import type { ManualReason } from './refund';
import { RefundAccounts } from './refund-accounts';
import { dataFeeOf, heldBy, transferCall } from './refund-chain';
import { coinsToForward, offerWithin, type ForwardCosts } from './refund-gas';
import { RefundPlaces, type RefundPlace } from './refund-places';
import { RefundWorth } from './refund-worth';
import { RefundsRepository, type DueRefund, type RefundTransaction } from './refunds.repository';

/** What the steps of one look share. */
interface Look {
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

// Between looks at what cannot be sent now: gas may become cheaper, or an operator pays coins in.
const [retryMs, longestRetryMs] = [15_000, 12 * 60 * 60_000];
// A transaction that is still in no block is offered more for.
const raiseAfterMs = 30_000;
// A deposit that no node shows for so long was never made.
const unreadableAfterMs = 60 * 60_000;
// What was final and is not there for so long was moved with the phrase, outside of this worker.
const goneAfterMs = 60 * 60_000;
// An estimate is what was enough on that block.
const [gasRoom, ofGasRoom] = [11n, 10n];
// Ten times the transfer of a usual token: what takes more is no usual token.
const mostGas = 500_000n;
// Each costs gas: one for gas and one for the transfer, and some that reverted.
const mostNonces = 6;

/** Brings a refund as far as the chain lets it. Each step is stored before the next, and may be repeated. */
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

  /** @throws RpcError when the chain does not answer; nothing is known then, and nothing changes */
  async follow(refund: DueRefund): Promise<void> {
    const look = { refund, place: this.places.find(refund.chain, refund.token) };
    if (refund.state === 'arrived') await this.findSender(look);
    else if (refund.state === 'ready') await this.send(look);
    else await this.watch(look);
  }

  private async findSender(look: Look): Promise<void> {
    const { refund, place } = look;
    const arrived = await this.arrived(look);
    if (arrived === 0n) return this.waitForMoney(look);
    // An operator may have paid from elsewhere what still stands here.
    if (refund.isAfterClosed) return this.setAside(look, 'CLOSED_BEFORE', { arrived });
    const found = await this.senders.find(refund, place, arrived);
    if (found === 'pending') {
      if (this.clock.now() - refund.createdAtMs > unreadableAfterMs)
        return this.setAside(look, 'DEPOSIT_UNREADABLE');
      return this.refunds.postpone(refund.id, this.patience(refund), 'the deposit is not final');
    }
    if ('reason' in found) return this.setAside(look, found.reason, { arrived });
    await this.refunds.senderFound(refund, found.sender, arrived);
  }

  private async send(look: Look): Promise<void> {
    const { refund, place } = look;
    const wallet = this.accounts.walletOf(refund.addressIndex);
    if (wallet.address !== refund.address) return this.setAside(look, 'OTHER_PHRASE');
    if ((await this.refunds.noncesOf(refund.id)) >= mostNonces) return this.setAside(look, 'TOO_MANY_TRIES');
    const standing = await this.arrived(look);
    if (standing === 0n) return this.waitForMoney(look);
    // What came since the receiver was decided may be of another sender: it is a refund of its own.
    const arrived = standing < refund.amountAtomic ? standing : refund.amountAtomic;
    const price = await readGasPrice(place.rpc);
    const outcome = await this.offer(look, arrived, price);
    if ('reason' in outcome) return this.setAside(look, outcome.reason, outcome);
    if ('wait' in outcome) return this.refunds.postpone(refund.id, this.patience(refund), outcome.wait);
    if ('lacking' in outcome) return this.payGas(look, outcome.lacking, price);
    await this.store(look, 'forwardSigned', wallet, outcome);
  }

  /** The transfer to the sender as it could be sent now, or what is in its way. */
  private async offer(look: Look, arrived: bigint, price: GasPrice): Promise<Outcome> {
    const { refund, place } = look;
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
      ? coinOffer(look, arrived, costs, price)
      : tokenOffer(look, arrived, costs, price, await heldBy(rpc, refund.address, null, 'latest'));
  }

  /** Pays coins for gas to the address that holds the tokens. */
  private async payGas(look: Look, valueAtomic: bigint, price: GasPrice): Promise<void> {
    const { refund, place } = look;
    const { rpc, chain } = place;
    const { gasWallet } = this.accounts;
    const to = refund.address;
    const tried = await estimateGas(rpc, { from: gasWallet.address, to, data: '0x', valueAtomic });
    const held = await heldBy(rpc, gasWallet.address, null, 'latest');
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
    await this.store(look, 'gasSigned', gasWallet, { call, amountAtomic: valueAtomic, reserveAtomic: 0n });
  }

  /** Stored first, and sent then: whatever happens in between, the same transaction is sent again. */
  private async store(
    { refund, place }: Look,
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

  private async watch(look: Look): Promise<void> {
    const { refund, place } = look;
    const { rpc, chain } = place;
    const sent = await this.refunds.transactionsOf(refund);
    const { head, receipts } = await rpc.headAndReceipts(sent.map(({ hash }) => hash));
    const at = receipts.findIndex((it) => it !== null);
    const receipt = receipts[at];
    if (!receipt) return this.resend(look, sent, head.height);
    if (head.height - receipt.height + 1 < chain.confirmations)
      return this.refunds.postpone(refund.id, chain.pollIntervalMs);
    if (refund.state === 'funding') return void (await this.refunds.gasSettled(refund));
    return this.settle(look, sent[at]!, receipt);
  }

  /** A token may answer that it has not moved anything: only its event counts. */
  private async settle({ refund, place }: Look, sent: RefundTransaction, receipt: EvmReceipt): Promise<void> {
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

  /** In no block: waiting in a pool, lost, offering too little, or of a nonce that another transaction has used. */
  private async resend(look: Look, sent: readonly RefundTransaction[], head: number): Promise<void> {
    const { refund, place } = look;
    const { rpc, chain } = place;
    const newest = sent.at(-1)!;
    const final = Math.max(0, head - chain.confirmations + 1);
    if ((await minedCount(rpc, newest.sender, final)) > newest.nonce) {
      const about = { refundId: refund.id, sender: newest.sender, nonce: newest.nonce };
      this.logger.error(about, 'refund nonce was used by another transaction');
      return refund.state === 'funding'
        ? void (await this.refunds.gasSettled(refund))
        : this.setAside(look, 'NONCE_USED');
    }
    await this.raise(look, newest);
    await broadcast(rpc, newest.raw);
    return this.refunds.postpone(refund.id, chain.pollIntervalMs);
  }

  private async raise(look: Look, newest: RefundTransaction): Promise<void> {
    if (this.clock.now() - newest.createdAtMs < raiseAfterMs) return;
    const { refund, place } = look;
    const price = await readGasPrice(place.rpc);
    const offer =
      refund.state === 'funding'
        ? this.raisedGas(look, newest, price)
        : await this.raisedForward(look, newest, price);
    const wallet =
      refund.state === 'funding' ? this.accounts.gasWallet : this.accounts.walletOf(refund.addressIndex);
    // Sent with a key that was replaced meanwhile, it stays as it is.
    if (!offer || wallet.address !== newest.sender) return;
    const signed = await signCall(wallet, offer.call, newest.nonce);
    const { amountAtomic, reserveAtomic } = offer;
    const replacing = { chain: place.chain.id, sender: newest.sender, amountAtomic, reserveAtomic };
    if (await this.refunds.replace(refund.id, replacing, signed)) await broadcast(place.rpc, signed.raw);
  }

  private raisedGas({ refund, place }: Look, newest: RefundTransaction, price: GasPrice): Offer | undefined {
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

  /** Pays for itself with the coins that stand on its address: what they do not cover waits for cheaper gas. */
  private async raisedForward(
    { refund, place }: Look,
    newest: RefundTransaction,
    price: GasPrice,
  ): Promise<Offer | undefined> {
    const { rpc, chain, token } = place;
    const { gasLimit } = newest;
    const [coins, dataFee] = await Promise.all([heldBy(rpc, refund.address, null, 'latest'), dataFeeOf(rpc)]);
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

  /** What stands on the address for good, and is no leftover of gas. */
  private async arrived({ refund, place }: Look): Promise<bigint> {
    const { rpc, chain, token } = place;
    const { height } = await rpc.head();
    const final = Math.max(0, height - chain.confirmations + 1);
    if (final < refund.settledHeight) return 0n;
    const held = await heldBy(rpc, refund.address, token.address, final);
    return held > refund.leftoverAtomic ? held : 0n;
  }

  /** A node that is behind shows less; what does not come back was moved by other means. */
  private async waitForMoney(look: Look): Promise<void> {
    const { refund } = look;
    if (this.clock.now() - refund.createdAtMs > goneAfterMs) return this.setAside(look, 'MONEY_GONE');
    return this.refunds.postpone(refund.id, this.patience(refund), 'the money is not final');
  }

  /** @param arrived what stands on the address, where it was read to be decided over */
  private async setAside(
    { refund }: Look,
    reason: ManualReason,
    { detail, arrived }: { detail?: string; arrived?: bigint } = {},
  ): Promise<void> {
    if (
      !(await this.refunds.setAside(
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

  /** Longer, the longer a refund has waited. */
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

function coinOffer({ refund, place }: Look, arrived: bigint, costs: ForwardCosts, price: GasPrice): Outcome {
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
  { refund, place }: Look,
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

/** The most that can be left of what was set aside for gas. */
const leftoverOf = ({ reserveAtomic }: RefundTransaction, { gasUsed, gasPriceAtomic }: EvmReceipt): bigint =>
  reserveAtomic - gasUsed * (gasPriceAtomic ?? 0n);
