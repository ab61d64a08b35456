import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { Button } from '../../parts/button';
import { CurlButton } from '../../parts/curl-button';
import { Dialog } from '../../parts/dialog';
import { Empty } from '../../parts/empty';
import { LoadMore } from '../../parts/load-more';
import { Note } from '../../parts/note';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { useWallet } from '../../session/session';
import { createdHere } from './created-here';
import { CreatedRequests } from './created-requests';
import { NewRequest } from './new-request';
import { PaymentTable } from './payment-table';
import { RequestPanel } from './request-panel';

export default function Requests() {
  const wallet = useWallet();
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<string>();
  const [ids, setIds] = useState(() => createdHere.list(wallet));
  const query = useInfiniteQuery({
    queryKey: ['payments'],
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET('/api/v1/merchant/payments', {
          params: { query: { limit: 50, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  const onCreated = (id: string) => {
    createdHere.add(wallet, id);
    setIds(createdHere.list(wallet));
    setCreating(false);
    setOpened(id);
  };
  return (
    <Page
      title="Payment requests"
      lead="A checkout page for one purchase: the payer chooses token and chain, and you receive what you asked for."
      actions={
        <>
          <CurlButton call={{ path: '/api/v1/merchant/payments' }} />
          <Button kind="primary" onClick={() => setCreating(true)}>
            Create a payment request
          </Button>
        </>
      }
    >
      {ids.length > 0 && (
        <Card title="Created in this browser">
          <CreatedRequests ids={ids} onOpen={setOpened} />
          <Note>The API lists payments, not requests: keep the id of a request that you need elsewhere.</Note>
        </Card>
      )}
      <Card title="Payments">
        <QueryView query={{ ...query, data: query.data?.pages.flatMap(({ payments }) => payments) }}>
          {(payments) =>
            payments.length === 0 ? (
              <Empty
                title="No request has been paid yet"
                text="Create a request and open its link. A payment appears here when a payer has chosen how to pay."
              />
            ) : (
              <PaymentTable payments={payments} onOpen={setOpened} />
            )
          }
        </QueryView>
        <LoadMore query={query} />
      </Card>
      <Dialog title="Create a payment request" isOpen={isCreating} onClose={() => setCreating(false)}>
        <NewRequest onCreated={onCreated} />
      </Dialog>
      <Dialog title="Payment request" isOpen={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened && <RequestPanel id={opened} />}
      </Dialog>
    </Page>
  );
}
