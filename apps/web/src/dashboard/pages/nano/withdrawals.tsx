import type * as sdk from '@tollbridge/sdk';
import { api, dataOf } from '../../api/client';
import { useKeyHeaders } from '../../api/secret-key';
import { usePages } from '../../api/use-pages';
import { Badge } from '../../parts/badge';
import { CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { LoadMore } from '../../parts/load-more';
import { Note } from '../../parts/note';
import { Card } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Age } from '../../parts/time';
import { usdt } from './usdt';

type Withdrawal = sdk.Withdrawal;

const columns: Column<Withdrawal>[] = [
  { header: 'To', cell: ({ destination }) => <CopyText text={destination} /> },
  { header: 'State', cell: ({ status }) => <Badge state={status} /> },
  { header: 'Created', cell: ({ createdAt: at }) => <Age at={at} /> },
  { header: 'Id', cell: ({ withdrawalId: id }) => <CopyText text={id} /> },
  { header: 'Amount', isNumber: true, cell: ({ amount }) => usdt(amount) },
];

interface WithdrawalsProps {
  /** In raw form, as in the withdrawals. */
  account: string;
  /** Whether the session or the entered key belongs to the account. */
  isOwner: boolean;
}

/** The API lists withdrawals for their owner only. The account must sign a withdrawal, see the command. */
export function Withdrawals({ account, isOwner }: WithdrawalsProps) {
  const proof = { signature: '…', validBefore: '…', nonce: '…' };
  const body = { address: account, destination: account, amount: '1000000', proof };
  return (
    <Card
      title="Withdrawals"
      actions={<CurlButton call={{ method: 'POST', path: '/withdraw', body, auth: 'none' }} />}
    >
      {isOwner ? (
        <OwnWithdrawals account={account} />
      ) : (
        <p>Withdrawals are listed for the account itself: enter a key of it above.</p>
      )}
    </Card>
  );
}

function OwnWithdrawals({ account }: { account: string }) {
  const headers = useKeyHeaders();
  const query = usePages({
    key: ['nano', 'withdrawals', account, headers],
    read: (at) =>
      dataOf(api.GET('/withdraw', { params: { query: { limit: 20, ...at } }, ...(headers && { headers }) })),
    rowsOf: ({ withdrawals }) => withdrawals,
  });
  return (
    <>
      <QueryView query={query}>
        {(withdrawals) => <WithdrawalTable account={account} withdrawals={withdrawals} />}
      </QueryView>
      <LoadMore query={query} />
    </>
  );
}

interface WithdrawalTableProps {
  account: string;
  withdrawals: readonly Withdrawal[];
}

function WithdrawalTable({ account, withdrawals }: WithdrawalTableProps) {
  if (withdrawals.some(({ address }) => address !== account))
    return <Note tone="wait">The entered key belongs to another account.</Note>;
  if (withdrawals.length === 0)
    return (
      <Empty
        title="No withdrawals yet"
        text="The account signs a withdrawal and sends it by the API, as the command shows. Earnings are paid out automatically."
      />
    );
  return (
    <DataTable
      label="Withdrawals"
      columns={columns}
      rows={withdrawals}
      keyOf={({ withdrawalId: id }) => id}
    />
  );
}
