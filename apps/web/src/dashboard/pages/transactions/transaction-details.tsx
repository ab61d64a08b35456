import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import type { ReactNode } from 'react';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { formatValue } from '../../format/amounts';
import { titled } from '../../format/texts';
import { Badge } from '../../parts/badge';
import { CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { Card, Facts, Page } from '../../parts/page';
import { priceFacts } from '../../parts/price-text';
import { QueryView } from '../../parts/query-view';
import { TransactionHash } from '../../parts/transaction-hash';
import { Timeline } from './timeline';

type Transaction = sdk.TransactionRecord;

export default function TransactionDetails() {
  const { id } = useParams({ from: '/transactions/$id' });
  const query = useQuery({
    queryKey: ['transactions', 'one', id],
    queryFn: () => dataOf(api.GET('/api/transactions/{id}', { params: { path: { id } } })),
  });
  return (
    <Page
      title="Transaction"
      lead={<Link to="/transactions">All transactions</Link>}
      call={{ path: `/api/transactions/${id}` }}
    >
      <QueryView query={query}>{(transaction) => <Details transaction={transaction} />}</QueryView>
    </Page>
  );
}

/** The merchant's own reference from the payment request or PayLink of a payment. */
function referenceFacts({ payment_request_id, paylink_id, metadata }: Transaction): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [];
  if (payment_request_id !== null)
    facts.push(['Payment request', <CopyText key="r" text={payment_request_id} kept={40} />]);
  if (paylink_id !== null) facts.push(['PayLink', <CopyText key="l" text={paylink_id} kept={40} />]);
  if (metadata !== null)
    facts.push(['Metadata', <CopyText key="m" text={JSON.stringify(metadata)} kept={80} />]);
  return facts;
}

function Details({ transaction }: { transaction: Transaction }) {
  const { data: chains } = useChains();
  const { order_id: orderId, token, network } = transaction;
  const order = useQuery({
    queryKey: ['order', orderId],
    queryFn: () => dataOf(api.GET('/api/v1/pay/order/{id}', { params: { path: { id: orderId! } } })),
    enabled: orderId !== null,
  });
  const amountOf = (atomic: string) => chains?.amountOf(atomic, token, network) ?? '…';
  return (
    <>
      <Card
        title={<bdi>{transaction.description || titled(transaction.tx_type)}</bdi>}
        actions={<Badge state={transaction.status} />}
      >
        <Facts
          facts={[
            ['Amount', <strong key="a">{amountOf(transaction.amount)}</strong>],
            ...priceFacts(transaction),
            ['Value', formatValue(transaction)],
            ['Fee', amountOf(transaction.fee_amount)],
            ['Chain', chains?.nameOf(network) ?? network],
            [
              'Payer',
              transaction.counterparty ? <CopyText key="p" text={transaction.counterparty} kept={20} /> : '—',
            ],
            ['Transaction', <TransactionHash key="h" chain={network} hash={transaction.tx_hash} kept={16} />],
            ['Confirmed by', transaction.confirmed_by ? titled(transaction.confirmed_by) : 'Not confirmed'],
            ['Id', <CopyText key="i" text={transaction.id} kept={40} />],
            ...referenceFacts(transaction),
          ]}
        />
      </Card>
      <Card
        title="Timeline"
        actions={orderId && <CurlButton call={{ path: `/api/v1/pay/order/${orderId}`, auth: 'none' }} />}
      >
        <Timeline transaction={transaction} order={order.data} />
      </Card>
    </>
  );
}
