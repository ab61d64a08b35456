import { Module } from '@nestjs/common';
import { LedgerClient } from './ledger-client';

/** The connection to the payment ledger service. */
@Module({ providers: [LedgerClient], exports: [LedgerClient] })
export class LedgerModule {}
