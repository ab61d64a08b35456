import { dashboardApi, TransactionFilters } from '@tollbridge/contracts';
import { declareLike, type OwnRoute } from '../routes/gateway-route';
import { byteOrderMark, csvHeader } from './transactions-csv';

// More rows than a spreadsheet can open. A client that needs more continues after the last record.
export const maxExportRows = 1_000_000;

export const exportTransactions: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(dashboardApi.operations.listTransactions, 'exportTransactions', {
    path: '/api/transactions/export',
    input: TransactionFilters,
    // An export is expensive, so it is rejected while requests cannot be counted.
    isCostly: true,
    style: 'bare',
    summary: "Export a merchant's transactions as CSV",
    description: `All transactions that match, oldest page last, at most ${maxExportRows.toLocaleString('en')} rows. UTF-8 with a byte order mark, so that spreadsheets recognise it. The connection is closed where the file cannot be completed: a whole file ends with a complete row.`,
  }),
  documentation: {
    tag: 'Merchant dashboard',
    replies: {
      200: {
        description: 'The file, streamed',
        content: { type: 'text/csv', schema: { type: 'string' }, example: byteOrderMark + csvHeader },
        headers: {
          'content-disposition': {
            description: 'Name of the file',
            schema: { type: 'string', examples: ['attachment; filename="transactions.csv"'] },
          },
        },
      },
    },
  },
};

export const exportRoutes = [exportTransactions];
