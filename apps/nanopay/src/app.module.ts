import { Module } from '@nestjs/common';
import { AccountsHandlers } from './accounts/accounts.handlers';
import { ApprovalsHandlers } from './accounts/approvals.handlers';
import { AttestationHandlers } from './accounts/attestation.handlers';

@Module({ controllers: [AccountsHandlers, ApprovalsHandlers, AttestationHandlers] })
export class NanopayModule {}
