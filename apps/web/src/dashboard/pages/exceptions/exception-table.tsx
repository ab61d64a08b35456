import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { titled } from '../../format/texts';
import { Badge } from '../../parts/badge';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyText } from '../../parts/copy';
import { DataTable, type Column } from '../../parts/data-table';
import { Age } from '../../parts/time';
import { TransactionHash } from '../../parts/transaction-hash';

type Exception = sdk.PaymentException;

export const exceptionsKey = 'exceptions';

export function ExceptionTable({ exceptions }: { exceptions: readonly Exception[] }) {
  const { data: chains } = useChains();
  const columns: Column<Exception>[] = [
    { header: 'Kind', cell: ({ kind }) => titled(kind) },
    { header: 'What happened', cell: ({ reason }) => <bdi>{reason}</bdi> },
    { header: 'Payment', cell: (exception) => <Paid exception={exception} /> },
    {
      header: 'Transaction',
      cell: ({ network, tx_hash: hash }) => <TransactionHash chain={network} hash={hash} />,
    },
    {
      header: 'Sender',
      cell: ({ payer }) => (payer === null ? 'Unknown' : <CopyText text={payer} />),
    },
    { header: 'Time', cell: ({ created_at: at }) => <Age at={at} /> },
    {
      header: 'Amount',
      isNumber: true,
      cell: ({ amount, token, network }) => chains?.amountOf(amount, token, network) ?? '…',
    },
    { header: 'State', cell: (exception) => <State exception={exception} /> },
  ];
  return <DataTable label="Exceptions" columns={columns} rows={exceptions} keyOf={({ id }) => id} />;
}

function Paid({ exception: { paylink_id: link, order_id: order } }: { exception: Exception }) {
  if (link)
    return (
      <Link to="/paylinks/$id" params={{ id: link }}>
        PayLink
      </Link>
    );
  return order ? (
    <Link to="/transactions/$id" params={{ id: order }}>
      Order
    </Link>
  ) : (
    '—'
  );
}

const resolutions = {
  completed: 'Completed',
  reverted: 'Dropped by the chain',
  returned: 'Returned',
  merchant: 'Closed by you',
};

function State({ exception: { id, resolution } }: { exception: Exception }) {
  const queries = useQueryClient();
  if (resolution) return <Badge state="resolved" text={resolutions[resolution]} />;
  const close = async () => {
    await dataOf(api.POST('/api/exceptions/{id}/resolve', { params: { path: { id } }, body: {} }));
    await queries.invalidateQueries({ queryKey: [exceptionsKey] });
  };
  return (
    <>
      <Badge state="open" />{' '}
      <ConfirmButton
        kind="plain"
        label="Close exception"
        title="Close this exception?"
        text="Close it once you have sent the money back or delivered. Closing moves no money."
        onConfirm={close}
      />
    </>
  );
}
