import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { formatTime } from '../../format/times';
import { Badge } from '../../parts/badge';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { Facts, Row } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { priceFacts } from '../../parts/price-text';
import { SharePanel } from '../../parts/share-panel';
import { ReceiverForm } from './receiver-form';
import { requestQuery, requestsKey } from './request-query';

export function RequestPanel({ id }: { id: string }) {
  const { data: chains } = useChains();
  const queries = useQueryClient();
  const query = useQuery(requestQuery(id));
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['request', id] });
    await queries.invalidateQueries({ queryKey: requestsKey });
  };
  const cancel = async () => {
    const params = { path: { id } };
    await dataOf(api.POST('/api/v1/merchant/payment-requests/{id}/cancel', { params, body: {} }));
    await refresh();
  };
  return (
    <QueryView query={query}>
      {(request) => (
        <>
          <SharePanel
            url={request.payment_link}
            qrUrl={`/api/v1/payment/${id}/qr.png`}
            title={request.description}
          />
          <Facts
            facts={[
              ['Status', <Badge key="s" state={request.status} />],
              ['Amount', chains?.amountOf(request.amount, request.currency, request.chain) ?? '…'],
              ...priceFacts(request),
              ['Chain', chains?.nameOf(request.chain) ?? request.chain],
              [
                'Receiving address',
                request.receive_address ? (
                  <CopyText key="r" text={request.receive_address} kept={12} />
                ) : (
                  'None yet'
                ),
              ],
              ['Expires', request.expires_at ? formatTime(request.expires_at) : 'Never'],
              ['Completed payments', `${request.completed_payments}${request.overpaid ? ', overpaid' : ''}`],
              ['Id', <CopyText key="i" text={request.id} kept={12} />],
            ]}
          />
          {request.receive_address_required && <ReceiverForm id={id} onSaved={refresh} />}
          <Row>
            {request.status === 'pending' && (
              <ConfirmButton
                label="Cancel the request"
                title="Cancel this request?"
                text="Payers can no longer pay it. This cannot be undone."
                onConfirm={cancel}
              />
            )}
            <CurlButton call={{ path: `/api/v1/merchant/payment-requests/${id}` }} />
          </Row>
        </>
      )}
    </QueryView>
  );
}
