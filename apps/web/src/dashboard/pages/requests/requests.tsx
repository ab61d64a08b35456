import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { usePages } from '../../api/use-pages';
import { Button } from '../../parts/button';
import { CurlButton } from '../../parts/curl-button';
import { Dialog } from '../../parts/dialog';
import { Empty } from '../../parts/empty';
import { LoadMore } from '../../parts/load-more';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { NewRequest } from './new-request';
import { PaymentTable } from './payment-table';
import { RequestList } from './request-list';
import { RequestPanel } from './request-panel';
import { requestsKey } from './request-query';

export default function Requests() {
  const queries = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<string>();
  const onCreated = (id: string) => {
    void queries.invalidateQueries({ queryKey: requestsKey });
    setCreating(false);
    setOpened(id);
  };
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a payment request
    </Button>
  );
  return (
    <Page
      title="Payment requests"
      lead="A checkout page for one purchase: the payer chooses token and chain, and you receive what you asked for."
      call={{ path: '/api/v1/merchant/payment-requests' }}
      actions={create}
    >
      <RequestList onOpen={setOpened} create={create} />
      <Payments onOpen={setOpened} />
      <Dialog title="Create a payment request" isOpen={isCreating} onClose={() => setCreating(false)}>
        <NewRequest onCreated={onCreated} />
      </Dialog>
      <Dialog title="Payment request" isOpen={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened && <RequestPanel id={opened} />}
      </Dialog>
    </Page>
  );
}

/** The payments of payers. One request may have several payments. */
function Payments({ onOpen }: { onOpen: (requestId: string) => void }) {
  const query = usePages({
    key: ['payments'],
    read: (at) => dataOf(api.GET('/api/v1/merchant/payments', { params: { query: { limit: 50, ...at } } })),
    rowsOf: ({ payments }) => payments,
  });
  return (
    <Card title="Payments" actions={<CurlButton call={{ path: '/api/v1/merchant/payments' }} />}>
      <QueryView query={query}>
        {(payments) =>
          payments.length === 0 ? (
            <Empty
              title="No payments yet"
              text="A payment appears here when a payer has chosen how to pay a request."
            />
          ) : (
            <PaymentTable payments={payments} onOpen={onOpen} />
          )
        }
      </QueryView>
      <LoadMore query={query} />
    </Card>
  );
}
