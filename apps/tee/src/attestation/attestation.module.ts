import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { SigningModule } from '../signing/signing.module';
import { Attestation } from './attestation';

/** Provides the attestation documents of this service. */
@Module({ imports: [LedgerModule, SigningModule], providers: [Attestation], exports: [Attestation] })
export class AttestationModule {}
