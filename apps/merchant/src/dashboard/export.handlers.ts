import { Controller } from '@nestjs/common';
import { internalDashboardApi, type ExportPageReply, type TransactionFilters } from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { validateFilters, RecordPages } from './record-pages';

// As many of the largest as the bus carries at once, and enough for the round trips not to count.
const pageSize = 500;

/** Answers the gateway, which writes the file. */
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
