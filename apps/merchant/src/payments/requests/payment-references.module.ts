import { Module } from '@nestjs/common';
import { PaymentReferences } from './payment-references.repository';

@Module({ providers: [PaymentReferences], exports: [PaymentReferences] })
export class PaymentReferencesModule {}
