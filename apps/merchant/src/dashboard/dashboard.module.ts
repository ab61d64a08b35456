import { Module } from '@nestjs/common';
import { ActivePaylinksRepository } from './active-paylinks.repository';
import { DashboardHandlers } from './dashboard.handlers';
import { DashboardListener } from './dashboard.listener';
import { DashboardRepository } from './dashboard.repository';
import { ExportHandlers } from './export.handlers';
import { PaymentReferencesModule } from '../payments/requests/payment-references.module';
import { RatesModule } from '../rates/rates.module';
import { SettingsModule } from '../settings/settings.module';
import { RecordPages } from './record-pages';

/** The merchant's dashboard: a projection of orders and PayLink payments, with its sums. */
@Module({
  imports: [PaymentReferencesModule, RatesModule, SettingsModule],
  controllers: [DashboardHandlers, ExportHandlers],
  providers: [DashboardRepository, ActivePaylinksRepository, RecordPages, DashboardListener],
  exports: [DashboardListener],
})
export class DashboardModule {}
