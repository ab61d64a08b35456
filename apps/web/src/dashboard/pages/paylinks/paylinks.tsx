import { Link } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useState, type ReactNode } from 'react';
import { useChains } from '../../api/chains';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { CopyButton } from '../../parts/copy';
import { DataTable, type Column } from '../../parts/data-table';
import { Dialog } from '../../parts/dialog';
import { Empty } from '../../parts/empty';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { NewPayLink } from './new-paylink';
import { stateOf, urlOf } from './paylink-url';
import { usePayLinks } from './paylinks-query';

type PayLink = sdk.PayLink;

export default function PayLinks() {
  const query = usePayLinks();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a PayLink
    </Button>
  );
  return (
    <Page
      title="PayLinks"
      lead="A page with a price that any number of people can pay: for a shop window, a post, an invoice."
      call={{ path: '/api/paylinks' }}
      actions={create}
    >
      <Card>
        <QueryView query={query}>
          {(links) => (links.length === 0 ? <NoLinks action={create} /> : <PayLinkTable links={links} />)}
        </QueryView>
      </Card>
      <Dialog title="Create a PayLink" isOpen={isCreating} onClose={() => setCreating(false)}>
        <NewPayLink onClose={() => setCreating(false)} />
      </Dialog>
    </Page>
  );
}

function PayLinkTable({ links }: { links: readonly PayLink[] }) {
  const { data: chains } = useChains();
  const columns: Column<PayLink>[] = [
    {
      header: 'Name',
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to="/paylinks/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { header: 'State', cell: (link) => <Badge state={stateOf(link)} />, sortBy: stateOf },
    {
      header: 'Price',
      isNumber: true,
      cell: (link) =>
        link.open_amount ? 'Any amount' : (chains?.amountOf(link.amount, link.token, link.network) ?? '…'),
    },
    { header: 'Chain', cell: ({ network }) => chains?.nameOf(network) ?? network },
    {
      header: 'Payments',
      isNumber: true,
      sortBy: ({ payment_count: count }) => count,
      cell: (link) =>
        link.max_payments ? `${link.payment_count} of ${link.max_payments}` : link.payment_count,
    },
    { header: 'Link', cell: (link) => <CopyButton text={urlOf(link)} label="Copy link" kind="inline" /> },
  ];
  return <DataTable label="PayLinks" columns={columns} rows={links} keyOf={({ id }) => id} />;
}

const NoLinks = ({ action }: { action: ReactNode }) => (
  <Empty
    title="Your first PayLink"
    text="Give it a name and a price, and send its address or show its QR code. Payers need a wallet and nothing else; the money goes to your address."
    action={action}
  />
);
