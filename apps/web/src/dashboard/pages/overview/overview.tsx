import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { compareDecimals, formatMoney, formatUsd, shareOf } from '../../format/amounts';
import { plural } from '../../format/texts';
import { formatDuration } from '../../format/times';
import { Empty } from '../../parts/empty';
import { Card, Page, Stat, Stats } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { TransactionTable } from '../transactions/transaction-table';
import { Bars } from './bars';
import styles from './overview.module.css';
import { settleMsOf } from './settle-time';
import { VolumeChart } from './volume-chart';

type Overview = sdk.OverviewReply;
type Transaction = sdk.TransactionRecord;

const recentCount = 5;

export default function OverviewPage() {
  const overview = useQuery({ queryKey: ['overview'], queryFn: () => dataOf(api.GET('/api/overview')) });
  const transactions = useQuery({
    queryKey: ['transactions', 'newest'],
    queryFn: () => dataOf(api.GET('/api/transactions', { params: { query: { limit: 100 } } })),
  });
  return (
    <Page
      title="Overview"
      lead="What you have received, in US dollars at the time of payment."
      call={{ path: '/api/overview' }}
    >
      <QueryView query={overview}>
        {(totals) => <Totals totals={totals} transactions={transactions.data ?? []} />}
      </QueryView>
      <Card title="Recent transactions" actions={<Link to="/transactions">All transactions</Link>}>
        <QueryView query={transactions}>
          {(rows) =>
            rows.length === 0 ? <NoPayments /> : <TransactionTable rows={rows.slice(0, recentCount)} />
          }
        </QueryView>
      </Card>
    </Page>
  );
}

function Totals({ totals, transactions }: { totals: Overview; transactions: readonly Transaction[] }) {
  const settle = settleMsOf(transactions);
  const { successRate, currency } = totals;
  const unvalued = totals.unvaluedPayments ?? totals.unpricedPayments;
  return (
    <>
      <Stats>
        <Stat
          label="Volume"
          value={currency ? formatMoney(totals.totalVolume, currency) : formatUsd(totals.totalVolumeUsd)}
          hint={unvalued > 0 && `${plural(unvalued, 'payment')} without a ${currency ? 'rate' : 'price'}`}
        />
        <Stat label="Payments" value={totals.totalPayments.toLocaleString('en')} hint={<Today />} />
        <Stat
          label="Success rate"
          value={successRate === null ? '—' : `${(successRate * 100).toFixed(1)} %`}
          hint="Of payments that ended"
        />
        <Stat
          label="Time to settle"
          value={settle === undefined ? '—' : formatDuration(settle.medianMs)}
          hint={settle && `Median of the last ${plural(settle.count, 'payment')}`}
        />
      </Stats>
      <Card title="Volume by day">
        <VolumeChart days={totals.daily} />
      </Card>
      {totals.totalPayments > 0 && <Shares totals={totals} />}
    </>
  );
}

/** Today's payments of payment requests, from the statistics of the merchant. */
function Today() {
  const { data } = useQuery({
    queryKey: ['stats'],
    queryFn: () => dataOf(api.GET('/api/v1/merchant/stats')),
  });
  return data && <>{plural(data.today.total_payments, 'request')} paid today</>;
}

function Shares({ totals }: { totals: Overview }) {
  const { data: chains } = useChains();
  const toBar = (name: string, volumeUsd: string, payments: number) => ({
    name,
    value: formatUsd(volumeUsd),
    detail: plural(payments, 'payment'),
    share: shareOf(volumeUsd, totals.totalVolumeUsd),
  });
  const byVolume = (one: { volumeUsd: string }, other: { volumeUsd: string }) =>
    compareDecimals(other.volumeUsd, one.volumeUsd);
  const tokens = totals.volumeByToken.toSorted(byVolume);
  const networks = totals.volumeByChain.toSorted(byVolume);
  return (
    <div className={styles.shares}>
      <Card title="By token">
        <Bars bars={tokens.map((it) => toBar(it.token, it.volumeUsd, it.payments))} />
      </Card>
      <Card title="By chain">
        <Bars
          bars={networks.map((it) =>
            toBar(chains?.nameOf(it.network) ?? it.network, it.volumeUsd, it.payments),
          )}
        />
      </Card>
    </div>
  );
}

const NoPayments = () => (
  <Empty
    title="No payments yet"
    text="Create a PayLink and open it: it is a page with a price that anyone can pay. The payment appears here as soon as the chain has it."
    action={<Link to="/paylinks">Create a PayLink</Link>}
  />
);
