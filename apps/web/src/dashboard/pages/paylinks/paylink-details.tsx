import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import type { CurlCall } from '../../api/curl';
import { plural } from '../../format/texts';
import { formatTime } from '../../format/times';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { Empty } from '../../parts/empty';
import { NamedQuestion } from '../../parts/named-question';
import { Card, Facts, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { SharePanel } from '../../parts/share-panel';
import { useNotify } from '../../parts/toasts';
import { PayLinkPayments } from './paylink-payments';
import { qrUrlOf, stateOf, urlOf } from './paylink-url';
import { payLinksKey, usePayLinks } from './paylinks-query';

type PayLink = sdk.PayLink;

export default function PayLinkDetails() {
  const { id } = useParams({ from: '/paylinks/$id' });
  const query = usePayLinks();
  return (
    <QueryView query={query}>
      {(links) => {
        const link = links.find((it) => it.id === id);
        return link ? (
          <Details link={link} />
        ) : (
          <Empty
            title="There is no such PayLink"
            text="It may have been deleted."
            action={<Link to="/paylinks">All PayLinks</Link>}
          />
        );
      }}
    </QueryView>
  );
}

function Details({ link }: { link: PayLink }) {
  const { data: chains } = useChains();
  const { id } = link;
  const payments = useQuery({
    queryKey: [...payLinksKey, id, 'payments'],
    queryFn: () =>
      dataOf(api.GET('/api/paylinks/{id}/payments', { params: { path: { id }, query: { limit: 100 } } })),
  });
  const amountOf = (atomic: string) => chains?.amountOf(atomic, link.token, link.network) ?? '…';
  return (
    <Page
      title={link.name}
      lead={<Link to="/paylinks">All PayLinks</Link>}
      call={toggleOf(link)}
      actions={<Actions link={link} />}
    >
      <Card title="Share" actions={<Badge state={stateOf(link)} />}>
        <SharePanel url={urlOf(link)} qrUrl={qrUrlOf(link)} title={link.name} />
      </Card>
      <Card title="Payments" actions={<CurlButton call={{ path: `/api/paylinks/${id}/payments` }} />}>
        <QueryView query={payments}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No payment yet" text="Open the link with a wallet to see what a payer sees." />
            ) : (
              <PayLinkPayments link={link} payments={rows} amountOf={amountOf} />
            )
          }
        </QueryView>
      </Card>
      <Card title="Details">
        <Facts
          facts={[
            ['Price', link.open_amount ? 'Any amount' : amountOf(link.amount)],
            ['Chain', chains?.nameOf(link.network) ?? link.network],
            ['Description', link.description || '—'],
            ['Receiving address', <CopyText key="r" text={link.receive_address} kept={20} />],
            ['Address verified', link.receiver_verified ? 'Yes' : 'No'],
            [
              'Payments',
              `${plural(link.payment_count, 'payment')}${link.max_payments ? ` of ${link.max_payments}` : ''}`,
            ],
            ['Expires', link.expires_at ? formatTime(link.expires_at) : 'Never'],
            [
              'Found on the chain',
              link.verifiable ? 'Automatically' : 'No: payers report their transaction, and you confirm it',
            ],
            ['Created', formatTime(link.created_at)],
          ]}
        />
      </Card>
    </Page>
  );
}

const toggleOf = ({ id, active }: PayLink): CurlCall => ({
  method: 'PUT',
  path: `/api/paylinks/${id}/toggle`,
  body: { active: !active },
});

function Actions({ link: { id, active, name } }: { link: PayLink }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const params = { path: { id } };
  const toggling = useMutation({
    mutationFn: () => dataOf(api.PUT('/api/paylinks/{id}/toggle', { params, body: { active: !active } })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: payLinksKey }),
    onError: (error) => notify(error.message),
  });
  const remove = async () => {
    await dataOf(api.DELETE('/api/paylinks/{id}', { params }));
    await navigate({ to: '/paylinks' });
    await queries.invalidateQueries({ queryKey: payLinksKey });
  };
  return (
    <>
      <Button isBusy={toggling.isPending} onClick={() => toggling.mutate()}>
        {active ? 'Pause' : 'Resume'}
      </Button>
      <ConfirmButton
        label="Delete"
        title={<NamedQuestion ask="Delete" name={name} />}
        text="Payers can no longer open it. Its payments stay among the transactions. This cannot be undone."
        onConfirm={remove}
      />
    </>
  );
}
