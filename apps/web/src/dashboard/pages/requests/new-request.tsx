import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { useChains, type Chains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { useSettings, type Settings } from '../../api/settings';
import { useCreation } from '../../parts/creation';
import { CurlButton } from '../../parts/curl-button';
import { TextField } from '../../parts/field';
import { firstReceiver } from '../../parts/first-receiver';
import { Columns, Form } from '../../parts/form';
import { atomicOf, firstPrice, PriceFields, type Price } from '../../parts/price-fields';
import { ReceiverFields, type Receiver } from '../../parts/receiver-fields';
import { PageSkeleton } from '../../parts/skeleton';
import { useWallet } from '../../session/session';

type NewRequestBody = sdk.CreatePaymentRequest;

const path = '/api/v1/merchant/payment-requests';
const shownFields = [
  'description',
  'amount',
  'price',
  'price.amount',
  'currency',
  'chain',
  'receive_address',
  'success_url',
  'expires_at',
];

export function NewRequest({ onCreated }: { onCreated: (id: string) => void }) {
  const { data: chains } = useChains();
  const { data: settings } = useSettings();
  if (!chains || !settings) return <PageSkeleton />;
  return <RequestForm chains={chains} settings={settings} onCreated={onCreated} />;
}

interface Entered extends Receiver {
  description: string;
  expiresAt: string;
}

interface RequestFormProps {
  chains: Chains;
  settings: Settings;
  onCreated: (id: string) => void;
}

function RequestForm({ chains, settings, onCreated }: RequestFormProps) {
  const wallet = useWallet();
  const [price, setPrice] = useState(() => firstPrice(chains, settings));
  const [entered, setEntered] = useState<Entered>({
    description: '',
    receiveAddress: firstReceiver(wallet, chains.find(price.network)),
    successUrl: '',
    expiresAt: '',
  });
  const set = (name: keyof Entered) => (text: string) => setEntered({ ...entered, [name]: text });
  const body = bodyOf(entered, price, atomicOf(chains, price));
  const { form, errorOf } = useCreation(
    body,
    (header) => dataOf(api.POST(path, { body, params: { header } })),
    ({ id }) => onCreated(id),
  );
  return (
    <Form {...form} shownFields={shownFields} more={<CurlButton call={{ method: 'POST', path, body }} />}>
      <TextField
        label="Description"
        hint="Payers see it, for example the number of the order."
        value={entered.description}
        onText={set('description')}
        error={errorOf('description')}
        autoFocus
      />
      <PriceFields
        chains={chains}
        price={price}
        onPrice={setPrice}
        canBePriced
        errors={{
          amount: errorOf('amount') ?? errorOf('price.amount') ?? errorOf('price'),
          token: errorOf('currency'),
          network: errorOf('chain'),
        }}
      />
      <Columns>
        <ReceiverFields
          receiver={entered}
          onReceiver={set}
          errors={{ receiveAddress: errorOf('receive_address'), successUrl: errorOf('success_url') }}
        />
        <TextField
          label="Expires"
          type="datetime-local"
          value={entered.expiresAt}
          onText={set('expiresAt')}
          error={errorOf('expires_at')}
        />
      </Columns>
    </Form>
  );
}

function bodyOf(
  entered: Entered,
  { network, token, amount, currency }: Price,
  atomic: string | undefined,
): NewRequestBody {
  const { description, receiveAddress, successUrl, expiresAt } = entered;
  return {
    ...(currency === '' ? { amount: atomic ?? amount } : { price: { amount: amount.trim(), currency } }),
    currency: token,
    chain: network,
    ...(description && { description }),
    ...(receiveAddress && { receive_address: receiveAddress }),
    ...(successUrl && { success_url: successUrl }),
    ...(expiresAt && { expires_at: new Date(expiresAt).toISOString() }),
  };
}
