import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { SigningModule } from '../signing/signing.module';
import { VerificationModule } from '../verification/verification.module';
import { ChannelSettlements } from './channel-settlements';
import { Charges } from './charges';
import { FramesListener } from './frames.listener';
import { FramesServer } from './frames.server';
import { PaymentEvents } from './payment-events';
import { PaymentEventsRepository } from './payment-events.repository';
import { PaymentFigures } from './payment-figures';
import { PaymentProofs } from './payment-proofs';
import { Payments } from './payments';
import { StoredPayments } from './stored-payments';

/** Payment frames from the bus and TCP, and the events of committed payments. */
@Module({
  imports: [LedgerModule, SigningModule, VerificationModule],
  providers: [
    PaymentFigures,
    PaymentProofs,
    ChannelSettlements,
    StoredPayments,
    Charges,
    Payments,
    PaymentEventsRepository,
    PaymentEvents,
    FramesServer,
    FramesListener,
  ],
  exports: [StoredPayments, PaymentFigures],
})
export class PaymentsModule {}
