import { Link } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { formatValue } from '../../format/amounts';
import { titled } from '../../format/texts';
import { Badge } from '../../parts/badge';
import { CopyText } from '../../parts/copy';
import { DataTable, type Column } from '../../parts/data-table';
import { Age } from '../../parts/time';

type Transaction = sdk.TransactionRecord;

export function TransactionTable({ rows }: { rows: readonly Transaction[] }) {
  const { data: chains } = useChains();
  const columns: Column<Transaction>[] = [
    {
      header: 'Transaction',
      cell: (row) => (
        <Link to="/transactions/$id" params={{ id: row.id }}>
          <bdi>{row.description || titled(row.tx_type)}</bdi>
        </Link>
      ),
    },
    { header: 'Status', cell: ({ status }) => <Badge state={status} /> },
    { header: 'From', cell: ({ counterparty }) => (counterparty ? <CopyText text={counterparty} /> : '—') },
    { header: 'Chain', cell: ({ network }) => chains?.nameOf(network) ?? network },
    { header: 'Time', cell: ({ created_at: at }) => <Age at={at} /> },
    {
      header: 'Amount',
      isNumber: true,
      cell: (row) =>
        `${row.tx_type === 'refund' ? '− ' : ''}${chains?.amountOf(row.amount, row.token, row.network) ?? '…'}`,
    },
    { header: 'Value', isNumber: true, cell: formatValue },
  ];
  return <DataTable label="Transactions" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
