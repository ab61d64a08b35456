import { useInfiniteQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { useKeyHeaders } from '../../api/secret-key';
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

type Withdrawal = Schemas['Withdrawal'];

const columns: Column<Withdrawal>[] = [
  { header: 'To', cell: ({ destination }) => <CopyText text={destination} /> },
  { header: 'State', cell: ({ status }) => <Badge state={status} /> },
  { header: 'Created', cell: ({ createdAt: at }) => <Age at={at} /> },
  { header: 'Id', cell: ({ withdrawalId: id }) => <CopyText text={id} /> },
  { header: 'Amount', isNumber: true, cell: ({ amount }) => usdt(amount) },
];

interface WithdrawalsProps {
  /** In raw form, as the withdrawals name it. */
  account: string;
  /** The session or the entered key is that of the account. */
  isOwner: boolean;
}

/** The API lists withdrawals for their owner only. To make one, the account signs it: see the command. */
export function Withdrawals({ account, isOwner }: WithdrawalsProps) {
  const headers = useKeyHeaders();
  const query = useInfiniteQuery({
    queryKey: ['nano', 'withdrawals', account, headers],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(
        api.GET('/withdraw', {
          params: { query: { limit: 20, ...(cursor && { cursor }) } },
          ...(headers && { headers }),
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    enabled: isOwner,
  });
  const proof = { signature: '…', validBefore: '…', nonce: '…' };
  const body = { address: account, destination: account, amount: '1000000', proof };
  return (
    <Card
      title="Withdrawals"
      actions={<CurlButton call={{ method: 'POST', path: '/withdraw', body, auth: 'none' }} />}
    >
      {isOwner ? (
        <>
          <QueryView query={{ ...query, data: query.data?.pages.flatMap(({ withdrawals }) => withdrawals) }}>
            {(withdrawals) =>
              withdrawals.some(({ address }) => address !== account) ? (
                <Note tone="wait">The entered key belongs to another account.</Note>
              ) : withdrawals.length === 0 ? (
                <Empty
                  title="No withdrawals yet"
                  text="The account signs a withdrawal and sends it by the API, as the command shows. Earnings are paid out automatically."
                />
              ) : (
                <DataTable
                  label="Withdrawals"
                  columns={columns}
                  rows={withdrawals}
                  keyOf={({ withdrawalId: id }) => id}
                />
              )
            }
          </QueryView>
          <LoadMore query={query} />
        </>
      ) : (
        <p>Withdrawals are listed for the account itself: enter a key of it above.</p>
      )}
    </Card>
  );
}
