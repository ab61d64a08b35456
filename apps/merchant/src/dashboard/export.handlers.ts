import { Controller } from '@nestjs/common';
import { internalDashboardApi, type ExportPageReply, type TransactionFilters } from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { validateFilters, RecordPages } from './record-pages';

// The largest records fit on the bus, and there are few round trips.
const pageSize = 500;

/** Pages of records for the gateway, which writes the export. */
@Controller()
@Handles(internalDashboardApi)
export class ExportHandlers {
  constructor(private readonly pages: RecordPages) {}

  async exportPage(query: TransactionFilters, context: CallContext): Promise<ExportPageReply> {
    return { records: await this.pages.read(query, pageSize, context) };
  }

  @Validates(internalDashboardApi.operations.exportPage)
  validateExportPage(query: Partial<TransactionFilters>): FieldError[] {
    return validateFilters(query);
  }
}
