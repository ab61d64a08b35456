import { useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { api, dataOf } from '../../api/client';
import { formatUsd } from '../../format/amounts';
import { Badge } from '../../parts/badge';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyText } from '../../parts/copy';
import { DataTable, type Column } from '../../parts/data-table';
import { Row } from '../../parts/page';
import { Age } from '../../parts/time';
import { TransactionHash } from '../../parts/transaction-hash';
import { payLinksKey } from './paylinks-query';

type PayLink = sdk.PayLink;
type Payment = sdk.PayLinkPayment;

interface PayLinkPaymentsProps {
  link: PayLink;
  payments: readonly Payment[];
  amountOf: (atomic: string) => string;
}

export function PayLinkPayments({ link, payments, amountOf }: PayLinkPaymentsProps) {
  const columns: Column<Payment>[] = [
    {
      header: 'Transaction',
      cell: ({ tx_hash: hash }) => <TransactionHash chain={link.network} hash={hash} />,
    },
    { header: 'State', cell: ({ status }) => <Badge state={status} /> },
    { header: 'Payer', cell: ({ payer }) => (payer ? <CopyText text={payer} /> : '—') },
    { header: 'Time', cell: ({ recorded_at: at }) => <Age at={at} /> },
    { header: 'Amount', isNumber: true, cell: ({ amount }) => (amount ? amountOf(amount) : '—') },
    { header: 'Value', isNumber: true, cell: ({ value_usd: value }) => formatUsd(value) },
    { header: 'Decision', cell: (payment) => <Decision link={link} payment={payment} /> },
  ];
  const isDecided = payments.every(({ status }) => status !== 'unverifiable');
  const shown = isDecided ? columns.slice(0, -1) : columns;
  return <DataTable label="Payments of the PayLink" columns={shown} rows={payments} keyOf={({ id }) => id} />;
}

/** The merchant decides on a payment that the gateway cannot verify. */
function Decision({ link, payment }: { link: PayLink; payment: Payment }) {
  const queries = useQueryClient();
  if (payment.status !== 'unverifiable') return '—';
  const params = { path: { id: link.id, paymentId: payment.id } };
  const decide = (verb: 'confirm' | 'reject') => async () => {
    await dataOf(api.POST(`/api/paylinks/{id}/payments/{paymentId}/${verb}`, { params, body: {} }));
    await queries.invalidateQueries({ queryKey: payLinksKey });
  };
  return (
    <Row>
      <ConfirmButton
        kind="plain"
        label="Confirm"
        title="Confirm this payment?"
        text="Confirm it only when your wallet shows that the money has arrived. The gateway cannot verify it."
        onConfirm={decide('confirm')}
      />
      <ConfirmButton
        label="Reject"
        title="Reject this payment?"
        text="It is not counted. Money that has arrived stays with you."
        onConfirm={decide('reject')}
      />
    </Row>
  );
}
