import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { formatUsd } from '../../format/amounts';
import { titled } from '../../format/texts';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { DataTable, type Column } from '../../parts/data-table';
import { priceText } from '../../parts/price-text';
import { Age } from '../../parts/time';

type Payment = sdk.MerchantPayment;

interface PaymentTableProps {
  payments: readonly Payment[];
  onOpen: (requestId: string) => void;
}

export function PaymentTable({ payments, onOpen }: PaymentTableProps) {
  const { data: chains } = useChains();
  const columns: Column<Payment>[] = [
    {
      header: 'Request',
      cell: ({ payment_request_id: id, description }) => (
        <Button kind="inline" onClick={() => onOpen(id)}>
          <bdi>{description || 'Payment request'}</bdi>
        </Button>
      ),
    },
    { header: 'Status', cell: ({ status }) => <Badge state={status} /> },
    {
      header: 'Paid with',
      cell: (row) => `${row.from_token}, ${chains?.nameOf(row.from_chain) ?? row.from_chain}`,
    },
    { header: 'By', cell: ({ execution_strategy: strategy }) => titled(strategy) },
    { header: 'Time', cell: ({ created_at: at }) => <Age at={at} /> },
    {
      header: 'Amount',
      isNumber: true,
      cell: (row) => {
        const amount = chains?.amountOf(row.amount, row.currency, row.chain) ?? '…';
        return row.price ? `${priceText(row.price)} (${amount})` : amount;
      },
    },
    { header: 'Value', isNumber: true, cell: ({ settled_value_usd: value }) => formatUsd(value) },
  ];
  return <DataTable label="Payments" columns={columns} rows={payments} keyOf={({ payment_id: id }) => id} />;
}
