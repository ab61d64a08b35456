import { useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { titled } from '../../format/texts';
import { formatTime } from '../../format/times';
import { Badge } from '../../parts/badge';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyBlock, CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { Note } from '../../parts/note';
import { Card, Facts, Row } from '../../parts/page';
import { TransactionHash } from '../../parts/transaction-hash';
import { useEvmProvider } from '../../session/use-wallets';
import { payoutsKey } from './payouts-query';
import { signBatches } from './sign-batches';

type Payout = sdk.PayoutRecord;
type Recipient = sdk.PaidRecipient;

export function PayoutView({ payout }: { payout: Payout }) {
  const { data: chains } = useChains();
  const amountOf = (atomic: string) => chains?.amountOf(atomic, payout.token, payout.chain) ?? '…';
  const columns: Column<Recipient>[] = [
    { header: 'Recipient', cell: ({ address }) => <code>{address}</code>, sortBy: ({ address }) => address },
    { header: 'State', cell: ({ status }) => <Badge state={status} />, sortBy: ({ status }) => status },
    {
      header: 'Transaction',
      cell: ({ transactionHash: hash }) => <TransactionHash chain={payout.chain} hash={hash} />,
    },
    {
      header: 'Amount',
      isNumber: true,
      cell: ({ amountAtomic }) => amountOf(amountAtomic),
      sortBy: ({ amountAtomic }) => BigInt(amountAtomic),
    },
  ];
  return (
    <>
      <Card title="Payout" actions={payout.state && <Badge state={payout.state} />}>
        <Facts
          facts={[
            ['Total', amountOf(payout.totalAmountAtomic)],
            ['Fee', amountOf(payout.feeAtomic)],
            ['Recipients', String(payout.recipientCount)],
            ['From', <CopyText key="w" text={payout.wallet} kept={20} />],
            ['Chain', chains?.nameOf(payout.chain) ?? payout.chain],
            ['Created', formatTime(payout.createdAt)],
            ['Approve before', payout.approveBefore ? formatTime(payout.approveBefore) : '—'],
          ]}
        />
        {payout.warnings.map(({ code, field, message }) => (
          <Note key={`${code}${field}`} tone="wait">
            <strong>{titled(code.toLowerCase())}</strong>: {field} {message}
          </Note>
        ))}
        {payout.state === 'awaiting_approval' && <Decision payout={payout} />}
      </Card>
      <Card title="Recipients">
        <DataTable
          label="Recipients"
          columns={columns}
          rows={payout.recipients}
          keyOf={(recipient) => String(payout.recipients.indexOf(recipient))}
        />
      </Card>
    </>
  );
}

function Decision({ payout }: { payout: Payout }) {
  const provider = useEvmProvider();
  const queries = useQueryClient();
  const path = { id: payout.payoutId };
  const allowance = payout.allowance?.transaction;
  const decided = () => queries.invalidateQueries({ queryKey: payoutsKey });
  const approve = async () => {
    const signatures = await signBatches(payout, provider);
    await dataOf(api.POST('/payout/{id}/approve', { params: { path }, body: { signatures } }));
    await decided();
  };
  const reject = async () => {
    await dataOf(api.POST('/payout/{id}/reject', { params: { path }, body: {} }));
    await decided();
  };
  return (
    <>
      {allowance && (
        <>
          <Note tone="wait">
            The wallet must first permit Permit2 to spend the token. Send this transaction from it.
          </Note>
          <CopyBlock label="Transaction" text={JSON.stringify(allowance, null, 2)} />
        </>
      )}
      <Row>
        <ConfirmButton
          kind="primary"
          label="Sign and approve"
          title="Approve this payout?"
          text="The wallet signs a permission for exactly this list. Check the recipients first: payments cannot be undone."
          onConfirm={approve}
        />
        <ConfirmButton
          label="Reject"
          title="Reject this payout?"
          text="Nothing is paid."
          onConfirm={reject}
        />
        <CurlButton
          call={{ method: 'POST', path: `/payout/${payout.payoutId}/approve`, body: { signatures: ['0x…'] } }}
        />
      </Row>
    </>
  );
}
