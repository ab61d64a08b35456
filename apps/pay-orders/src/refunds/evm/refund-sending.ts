import { Inject, Injectable } from '@nestjs/common';
import { broadcast, minedCount, readGasPrice, signCall, type GasPrice } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { RefundTransactionsRepository, type RefundTransaction } from '../refund-transactions.repository';
import { RefundsRepository } from '../refunds.repository';
import { BlockedRefunds } from './blocked-refunds';
import { RefundAccounts } from './refund-accounts';
import { arrivedAmount } from './refund-chain';
import { RefundOffers, type Offer } from './refund-offers';
import type { Attempt } from './refund-places';

// The delay while an operator must fund the wallet.
const unfundedRetryMs = 15_000;
// After this time, the fees of a transaction that is in no block are raised.
const raiseAfterMs = 30_000;
// Each nonce costs gas: one for the gas payment, one for the transfer, and some for reverted transactions.
const mostNonces = 6;

/** Signs, stores and broadcasts the transactions of refunds. */
@Injectable()
export class RefundSending {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly transactions: RefundTransactionsRepository,
    private readonly accounts: RefundAccounts,
    private readonly offers: RefundOffers,
    private readonly blocked: BlockedRefunds,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Sends the transfer of a refund with a known recipient, or the coins for its gas. */
  async send(attempt: Attempt): Promise<void> {
    const { refund, place } = attempt;
    const wallet = this.accounts.walletOf(refund.addressIndex);
    if (wallet.address !== refund.address) return this.blocked.leaveToOperator(attempt, 'OTHER_PHRASE');
    if ((await this.transactions.noncesOf(refund.id)) >= mostNonces)
      return this.blocked.leaveToOperator(attempt, 'TOO_MANY_TRIES');
    const standing = await arrivedAmount(attempt);
    if (standing === 0n) return this.blocked.waitForMoney(attempt);
    // Amounts that arrived after the recipient was set may have another sender, so they become a separate refund.
    const arrived = standing < refund.amountAtomic ? standing : refund.amountAtomic;
    const price = await readGasPrice(place.rpc);
    const outcome = await this.offers.transfer(attempt, arrived, price);
    if ('reason' in outcome) return this.blocked.leaveToOperator(attempt, outcome.reason, outcome);
    if ('wait' in outcome) return this.blocked.retryLater(attempt, outcome.wait);
    if ('lacking' in outcome) return this.payGas(attempt, outcome.lacking, price);
    await this.store(attempt, 'forwardSigned', wallet, outcome);
  }

  /** Replaces a transaction that has waited for long by one with higher fees. */
  async raise(attempt: Attempt, newest: RefundTransaction): Promise<void> {
    if (this.clock.now() - newest.createdAtMs < raiseAfterMs) return;
    const { refund, place } = attempt;
    const price = await readGasPrice(place.rpc);
    const offer = await this.offers.raised(attempt, newest, price);
    const wallet =
      refund.state === 'funding' ? this.accounts.gasWallet : this.accounts.walletOf(refund.addressIndex);
    // The key has been replaced, so this transaction cannot be replaced.
    if (!offer || wallet.address !== newest.sender) return;
    const signed = await signCall(wallet, offer.call, newest.nonce);
    const { amountAtomic, reserveAtomic } = offer;
    const replacing = { chain: place.chain.id, sender: newest.sender, amountAtomic, reserveAtomic };
    if (await this.transactions.replace(refund.id, replacing, signed)) await broadcast(place.rpc, signed.raw);
  }

  /** Pays coins for gas to the address with the tokens. */
  private async payGas(attempt: Attempt, valueAtomic: bigint, price: GasPrice): Promise<void> {
    const { refund, place } = attempt;
    const { gasWallet } = this.accounts;
    const offer = await this.offers.gas(attempt, valueAtomic, price);
    if (!offer) {
      this.logger.error(
        { chain: place.chain.id, wallet: gasWallet.address },
        'refund gas wallet cannot pay for gas',
      );
      const reason = 'the wallet of REFUND_GAS_KEY cannot pay for the gas';
      return this.refunds.postpone(refund.id, unfundedRetryMs, reason);
    }
    await this.store(attempt, 'gasSigned', gasWallet, offer);
  }

  /** Stores the transaction before it is sent, so that a crash in between only causes it to be sent again. */
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
}
