import type * as sdk from '@tollbridge/sdk';
import { useState, type ReactNode } from 'react';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { usePages } from '../../api/use-pages';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { SelectField } from '../../parts/field';
import { Narrow } from '../../parts/form';
import { LoadMore } from '../../parts/load-more';
import { Card } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Age } from '../../parts/time';
import { priceText } from '../../parts/price-text';
import { requestsKey } from './request-query';

type Request = sdk.PaymentRequestReply;
type Status = Request['status'];

const statuses = [
  ['', 'Any'],
  ['pending', 'Pending'],
  ['processing', 'Processing'],
  ['completed', 'Completed'],
  ['expired', 'Expired'],
  ['canceled', 'Canceled'],
] as const;

interface RequestListProps {
  onOpen: (id: string) => void;
  create: ReactNode;
}

export function RequestList({ onOpen, create }: RequestListProps) {
  const [status, setStatus] = useState('');
  const query = usePages({
    key: [...requestsKey, status],
    read: (at) => {
      const filter = status ? { status: status as Status } : {};
      const params = { query: { ...filter, limit: 50, ...at } };
      return dataOf(api.GET('/api/v1/merchant/payment-requests', { params }));
    },
    rowsOf: ({ payment_requests: requests }) => requests,
  });
  return (
    <Card title="Requests">
      <Narrow>
        <SelectField label="Status" options={statuses} value={status} onText={setStatus} />
      </Narrow>
      <QueryView query={query}>
        {(requests) =>
          requests.length > 0 ? (
            <RequestTable requests={requests} onOpen={onOpen} />
          ) : status ? (
            <Empty title="No request has this status" text="Choose another status." />
          ) : (
            <Empty
              title="No payment requests yet"
              text="Create one for a purchase, and send its link to the payer or show its QR code."
              action={create}
            />
          )
        }
      </QueryView>
      <LoadMore query={query} />
    </Card>
  );
}

function RequestTable({ requests, onOpen }: { requests: readonly Request[]; onOpen: (id: string) => void }) {
  const { data: chains } = useChains();
  const columns: Column<Request>[] = [
    {
      header: 'Request',
      cell: ({ id, description }) => (
        <Button kind="inline" onClick={() => onOpen(id)}>
          <bdi>{description || 'Payment request'}</bdi>
        </Button>
      ),
    },
    { header: 'Status', cell: ({ status }) => <Badge state={status} /> },
    { header: 'Chain', cell: ({ chain }) => chains?.nameOf(chain) ?? chain },
    { header: 'Created', cell: ({ created_at: at }) => <Age at={at} /> },
    {
      header: 'Amount',
      isNumber: true,
      cell: (row) =>
        row.price ? priceText(row.price) : (chains?.amountOf(row.amount, row.currency, row.chain) ?? '…'),
    },
  ];
  return <DataTable label="Payment requests" columns={columns} rows={requests} keyOf={({ id }) => id} />;
}
