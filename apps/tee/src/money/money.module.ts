import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { SigningModule } from '../signing/signing.module';
import { Deposits } from './deposits';
import { KnownBatches } from './known-batches';
import { MoneyHandlers } from './money.handlers';
import { MoneyRepository } from './money.repository';
import { PayoutMessages } from './payout-messages';
import { Payouts } from './payouts';
import { Withdrawals } from './withdrawals';

/** Deposits from the chain, and withdrawals and payouts to the chain. */
@Module({
  imports: [AccountsModule, LedgerModule, SigningModule],
  controllers: [MoneyHandlers],
  providers: [MoneyRepository, Deposits, Withdrawals, KnownBatches, PayoutMessages, Payouts],
})
export class MoneyModule {}
