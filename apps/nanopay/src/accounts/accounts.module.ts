import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module';
import { ReceiversModule } from '../receivers/receivers.module';
import { AccountsHandlers } from './accounts.handlers';
import { ApprovalsHandlers } from './approvals.handlers';
import { AttestationHandlers } from './attestation.handlers';

/** Accounts, approvals and attestation: operations that are forwarded to the payment ledger service. */
@Module({
  imports: [ChainModule, ReceiversModule],
  controllers: [AccountsHandlers, ApprovalsHandlers, AttestationHandlers],
})
export class AccountsModule {}
