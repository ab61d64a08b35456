import { Controller } from '@nestjs/common';
import {
  internalDashboardApi,
  type ExportPageReply,
  type TransactionFilters,
  type TransactionRecord,
} from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { validateFilters, RecordPages } from './record-pages';

const pageSize = 500;
// A message of the bus has 1 MB. Metadata may be long, so pages of such records are shorter.
const maxPageBytes = 800_000;

/** Pages of records for the gateway, which writes the export. */
@Controller()
@Handles(internalDashboardApi)
export class ExportHandlers {
  constructor(private readonly pages: RecordPages) {}

  async exportPage(query: TransactionFilters, context: CallContext): Promise<ExportPageReply> {
    return { records: fitting(await this.pages.read(query, pageSize, context)) };
  }

  @Validates(internalDashboardApi.operations.exportPage)
  validateExportPage(query: Partial<TransactionFilters>): FieldError[] {
    return validateFilters(query);
  }
}

/** The first records that fit into a message; the client continues from the last of them. */
function fitting(records: TransactionRecord[]): TransactionRecord[] {
  let bytes = 0;
  const end = records.findIndex(
    (record) => (bytes += Buffer.byteLength(JSON.stringify(record))) > maxPageBytes,
  );
  return end < 0 ? records : records.slice(0, end);
}
