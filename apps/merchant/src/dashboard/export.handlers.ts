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
// NATS limits a message to 1 MB. Pages of records with long metadata contain fewer records.
const maxPageBytes = 800_000;

/** Returns pages of records to the gateway, which writes the export. */
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

/** The first records that fit into one message; the gateway continues after the last of them. */
function fitting(records: TransactionRecord[]): TransactionRecord[] {
  let bytes = 0;
  const end = records.findIndex(
    (record) => (bytes += Buffer.byteLength(JSON.stringify(record))) > maxPageBytes,
  );
  return end < 0 ? records : records.slice(0, end);
}
