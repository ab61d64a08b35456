import { useQueries } from '@tanstack/react-query';
import { useChains } from '../../api/chains';
import type { Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { DataTable, type Column } from '../../parts/data-table';
import { Age } from '../../parts/time';
import { requestQuery } from './request-query';

type Request = Schemas['PaymentRequestReply'];

export function CreatedRequests({ ids, onOpen }: { ids: readonly string[]; onOpen: (id: string) => void }) {
  const { data: chains } = useChains();
  const requests = useQueries({ queries: ids.map(requestQuery) });
  const rows = requests.flatMap(({ data }) => (data ? [data] : []));
  const columns: Column<Request>[] = [
    {
      header: 'Request',
      cell: ({ id, description }) => (
        <Button kind="inline" onClick={() => onOpen(id)}>
          {description || 'Payment request'}
        </Button>
      ),
    },
    { header: 'Status', cell: ({ status }) => <Badge state={status} /> },
    { header: 'Created', cell: ({ created_at: at }) => <Age at={at} /> },
    {
      header: 'Amount',
      isNumber: true,
      cell: (row) => chains?.amountOf(row.amount, row.currency, row.chain) ?? '…',
    },
  ];
  return <DataTable label="Payment requests" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
