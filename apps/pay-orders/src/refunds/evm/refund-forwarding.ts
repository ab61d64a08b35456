import { Inject, Injectable } from '@nestjs/common';
import {
  broadcast,
  minedCount,
  readGasPrice,
  signCall,
  tokenBalance,
  tokenTransfers,
  type EvmReceipt,
  type GasPrice,
} from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import type { ManualReason } from '../refund';
import { RefundTransactionsRepository, type RefundTransaction } from '../refund-transactions.repository';
import { RefundsRepository, type DueRefund } from '../refunds.repository';
import { SenderSearch } from './sender-search';
import { RefundAccounts } from './refund-accounts';
import { RefundOffers, type Attempt, type Offer } from './refund-offers';
import { RefundPlaces } from './refund-places';

// Pauses of a refund that cannot be sent now: gas may become cheaper, or an operator may fund the wallet.
const [retryMs, longestRetryMs] = [15_000, 12 * 60 * 60_000];
// Raise the fees of a transaction that is in no block after this time.
const raiseAfterMs = 30_000;
// A deposit that no node shows after this time does not exist.
const unreadableAfterMs = 60 * 60_000;
// A final amount that is missing for this long was moved with the phrase, outside of this worker.
const goneAfterMs = 60 * 60_000;
// Each costs gas: one for the gas payment, one for the transfer, and some that revert.
const mostNonces = 6;

/** Advances a refund as far as the chain allows. Each step is stored before the next, and can be repeated. */
@Injectable()
export class RefundForwarding {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly transactions: RefundTransactionsRepository,
    private readonly accounts: RefundAccounts,
    private readonly places: RefundPlaces,
    private readonly senders: SenderSearch,
    private readonly offers: RefundOffers,
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
    if ((await this.transactions.noncesOf(refund.id)) >= mostNonces)
      return this.leaveToOperator(attempt, 'TOO_MANY_TRIES');
    const standing = await this.arrived(attempt);
    if (standing === 0n) return this.waitForMoney(attempt);
    // Amounts that arrived after the recipient was set may have another sender: they become a refund of their own.
    const arrived = standing < refund.amountAtomic ? standing : refund.amountAtomic;
    const price = await readGasPrice(place.rpc);
    const outcome = await this.offers.transfer(attempt, arrived, price);
    if ('reason' in outcome) return this.leaveToOperator(attempt, outcome.reason, outcome);
    if ('wait' in outcome) return this.refunds.postpone(refund.id, this.patience(refund), outcome.wait);
    if ('lacking' in outcome) return this.payGas(attempt, outcome.lacking, price);
    await this.store(attempt, 'forwardSigned', wallet, outcome);
  }

  /** Pays coins for gas to the address that holds the tokens. */
  private async payGas(attempt: Attempt, valueAtomic: bigint, price: GasPrice): Promise<void> {
    const { refund, place } = attempt;
    const { gasWallet } = this.accounts;
    const offer = await this.offers.gas(attempt, valueAtomic, price);
    if (!offer) {
      this.logger.error(
        { chain: place.chain.id, wallet: gasWallet.address },
        'refund gas wallet cannot pay for gas',
      );
      return this.refunds.postpone(refund.id, retryMs, 'the wallet of REFUND_GAS_KEY cannot pay for the gas');
    }
    await this.store(attempt, 'gasSigned', gasWallet, offer);
  }

  /** Stores the transaction before it is sent, so that a crash in between only sends it again. */
  private async store(
    { refund, place }: Attempt,
    event: 'gasSigned' | 'forwardSigned',
    wallet: Pick<RefundAccounts['gasWallet'], 'address' | 'signTransaction'>,
    { call, amountAtomic, reserveAtomic }: Offer,
  ): Promise<void> {
    const { rpc, chain } = place;
    const signed = await this.transactions.add(refund, event, {
      chain: chain.id,
      sender: wallet.address,
      amountAtomic,
      reserveAtomic,
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
    const sent = await this.transactions.transactionsOf(refund);
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
    const offer = await this.offers.raised(attempt, newest, price);
    const wallet =
      refund.state === 'funding' ? this.accounts.gasWallet : this.accounts.walletOf(refund.addressIndex);
    // The key was replaced since: this transaction cannot be replaced.
    if (!offer || wallet.address !== newest.sender) return;
    const signed = await signCall(wallet, offer.call, newest.nonce);
    const { amountAtomic, reserveAtomic } = offer;
    const replacing = { chain: place.chain.id, sender: newest.sender, amountAtomic, reserveAtomic };
    if (await this.transactions.replace(refund.id, replacing, signed)) await broadcast(place.rpc, signed.raw);
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

  /** Grows with the age of the refund. */
  private patience({ createdAtMs, chain, token }: DueRefund): number {
    const { pollIntervalMs } = this.places.find(chain, token).chain;
    const ageMs = this.clock.now() - createdAtMs;
    return Math.min(Math.max(pollIntervalMs, ageMs / 4), longestRetryMs);
  }
}

/** The most that can remain of the amount reserved for gas. */
const leftoverOf = ({ reserveAtomic }: RefundTransaction, { gasUsed, gasPriceAtomic }: EvmReceipt): bigint =>
  reserveAtomic - gasUsed * (gasPriceAtomic ?? 0n);
