import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { PayoutView } from './payout-view';
import { payoutsKey } from './payouts-query';

export default function PayoutDetails() {
  const { id } = useParams({ from: '/payouts/$id' });
  const query = useQuery({
    queryKey: [...payoutsKey, 'one', id],
    queryFn: () => dataOf(api.GET('/payout/{id}', { params: { path: { id } } })),
  });
  return (
    <Page title="Payout" lead={<Link to="/payouts">All payouts</Link>} call={{ path: `/payout/${id}` }}>
      <QueryView query={query}>{(payout) => <PayoutView payout={payout} />}</QueryView>
    </Page>
  );
}
