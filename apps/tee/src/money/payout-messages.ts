import { Inject, Injectable } from '@nestjs/common';
import type { PayoutOpening } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { buildHighloadMessage, jettonPayment, mostPaymentsInBatch, queryIdAt } from '@tollbridge/ton';
import { v7 as uuid } from 'uuid';
import type { TeeConfig } from '../config';
import { addressOf, unsettledOf } from '../ledger/rules/account';
import type { PayoutTerms, WithdrawalTerms } from '../ledger/storage/ledger-batch';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { PayoutWallet } from '../signing/payout-wallet';
import { MoneyRepository } from './money.repository';

// The clock of the chain may be some blocks behind.
const clockMarginS = 30;

/** Creates the messages of payouts. Each is stored, with the earnings that it reserves, before it is returned. */
@Injectable()
export class PayoutMessages {
  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: MoneyRepository,
    private readonly wallet: PayoutWallet,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: TeeConfig,
  ) {}

  /** Returns pending withdrawals, followed by sellers with enough earnings for a payment. */
  async due(): Promise<WithdrawalTerms[]> {
    const pending = await this.repository.pending(mostPaymentsInBatch);
    const room = mostPaymentsInBatch - pending.length;
    if (room === 0) return pending;
    const sellers = await this.repository.sellersToPay(BigInt(this.config.TEE_SETTLE_FROM), room);
    const ledger = await this.writer.with(sellers);
    const atMs = this.clock.now();
    const earnings = sellers.map((key): WithdrawalTerms => {
      const amountAtomic = unsettledOf(ledger.account(key));
      return { id: uuid(), source: 'earnings', account: key, destination: key, amountAtomic, atMs };
    });
    return [...pending, ...earnings.filter(({ amountAtomic }) => amountAtomic > 0n)];
  }

  /** Signs and stores the message of these payments. */
  async make(number: bigint, due: WithdrawalTerms[], opening: PayoutOpening): Promise<PayoutTerms> {
    const createdAtS = Math.floor(this.clock.now() / 1000) - clockMarginS;
    const queryId = queryIdAt(number);
    const payments = await Promise.all(
      due.map(({ destination, amountAtomic }) =>
        jettonPayment(opening.assetWallet, {
          queryId: number,
          amountAtomic,
          destination: addressOf(destination),
          responseDestination: this.wallet.address,
        }),
      ),
    );
    const batch = { queryId, createdAtS, payments, withStateInit: opening.isFirst };
    const { boc } = await buildHighloadMessage(this.wallet.highload, batch, (hash) => this.wallet.sign(hash));
    const afterLt = await this.repository.lastLt(opening.assetWallet);
    const payout = {
      number,
      afterLt,
      queryId,
      boc,
      createdAtS,
      validUntilS: createdAtS + this.wallet.highload.timeoutS,
    };
    await this.store(payout, due);
    return payout;
  }

  /** Stores the message, and reserves the earnings in the same commit. */
  private async store(payout: PayoutTerms, due: WithdrawalTerms[]): Promise<void> {
    const earnings = due.filter(({ source }) => source === 'earnings');
    const known = new Set((await this.repository.pending(mostPaymentsInBatch)).map(({ id }) => id));
    const ledger = await this.writer.with(earnings.map(({ account }) => account));
    const nowMs = this.clock.now();
    for (const withdrawal of earnings.filter(({ id }) => !known.has(id))) {
      const seller = ledger.account(withdrawal.account);
      // A refund may have reduced the earnings since the message was signed.
      if (unsettledOf(seller) < withdrawal.amountAtomic)
        throw new DomainError(
          'CONFLICT',
          'The earnings of a seller changed during the payout. Repeat the call.',
        );
      seller.settling += withdrawal.amountAtomic;
      ledger.touchAccount(seller, nowMs);
      ledger.record({ kind: 'withdrawal', ...withdrawal });
    }
    ledger.record({ kind: 'payout', ...payout, withdrawals: due.map(({ id }) => id), atMs: nowMs });
    await this.writer.committed();
  }
}
