import { useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { useChains, type Chains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { useSettings, type Settings } from '../../api/settings';
import { Button } from '../../parts/button';
import { useCreation } from '../../parts/creation';
import { CurlButton } from '../../parts/curl-button';
import { CheckField, TextArea, TextField } from '../../parts/field';
import { firstReceiver } from '../../parts/first-receiver';
import { Columns, Form } from '../../parts/form';
import { atomicOf, firstPrice, PriceFields } from '../../parts/price-fields';
import { Row } from '../../parts/page';
import { ReceiverFields, type Receiver } from '../../parts/receiver-fields';
import { SharePanel } from '../../parts/share-panel';
import { PageSkeleton } from '../../parts/skeleton';
import { useWallet } from '../../session/session';
import { payLinksKey } from './paylinks-query';
import { qrUrlOf, urlOf } from './paylink-url';

type NewLink = sdk.CreatePayLinkRequest;

const shownFields = [
  'name',
  'description',
  'amount',
  'token',
  'network',
  'receiveAddress',
  'successUrl',
  'maxPayments',
  'expiresAt',
];

/** The form, and after its submission the link to share. */
export function NewPayLink({ onClose }: { onClose: () => void }) {
  const { data: chains } = useChains();
  const { data: settings } = useSettings();
  const [link, setLink] = useState<sdk.PayLink>();
  if (!chains || !settings) return <PageSkeleton />;
  if (!link) return <PayLinkForm chains={chains} settings={settings} onCreated={setLink} />;
  return (
    <>
      <SharePanel url={urlOf(link)} qrUrl={qrUrlOf(link)} title={link.name} />
      <Row>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </Row>
    </>
  );
}

interface Entered extends Receiver {
  name: string;
  description: string;
  maxPayments: string;
  expiresOn: string;
  isOpen: boolean;
}

interface PayLinkFormProps {
  chains: Chains;
  settings: Settings;
  onCreated: (link: sdk.PayLink) => void;
}

function PayLinkForm({ chains, settings, onCreated }: PayLinkFormProps) {
  const wallet = useWallet();
  const queries = useQueryClient();
  const [price, setPrice] = useState(() => firstPrice(chains, settings));
  const ownReceiver = firstReceiver(wallet, chains.find(price.network));
  const [entered, setEntered] = useState<Entered>({
    name: '',
    description: '',
    receiveAddress: ownReceiver,
    successUrl: '',
    maxPayments: '',
    expiresOn: '',
    isOpen: false,
  });
  const set =
    <K extends keyof Entered>(name: K) =>
    (value: Entered[K]) =>
      setEntered({ ...entered, [name]: value });
  const body = bodyOf(entered, { ...price, atomic: atomicOf(chains, price) });
  const { form, errorOf } = useCreation(
    body,
    (header) => dataOf(api.POST('/api/paylinks', { body, params: { header } })),
    (link) => {
      void queries.invalidateQueries({ queryKey: payLinksKey });
      onCreated(link);
    },
  );
  return (
    <Form
      {...form}
      shownFields={shownFields}
      more={<CurlButton call={{ method: 'POST', path: '/api/paylinks', body }} />}
    >
      <TextField
        label="Name"
        value={entered.name}
        onText={set('name')}
        error={errorOf('name')}
        required
        autoFocus
      />
      <TextArea
        label="Description"
        hint="Payers see it below the name."
        value={entered.description}
        onText={set('description')}
        error={errorOf('description')}
      />
      <PriceFields
        chains={chains}
        price={price}
        onPrice={setPrice}
        hasAmount={!entered.isOpen}
        errors={{ amount: errorOf('amount'), token: errorOf('token'), network: errorOf('network') }}
      />
      <CheckField label="The payer chooses the amount" isChecked={entered.isOpen} onCheck={set('isOpen')} />
      <details open={ownReceiver === ''}>
        <summary>More</summary>
        <MoreFields entered={entered} set={set} errorOf={errorOf} />
      </details>
    </Form>
  );
}

interface MoreFieldsProps {
  entered: Entered;
  set: <K extends keyof Entered>(name: K) => (value: Entered[K]) => void;
  errorOf: (name: string) => string | undefined;
}

const MoreFields = ({ entered, set, errorOf }: MoreFieldsProps) => (
  <Columns>
    <ReceiverFields
      receiver={entered}
      onReceiver={set}
      errors={{ receiveAddress: errorOf('receiveAddress'), successUrl: errorOf('successUrl') }}
    />
    <TextField
      label="Most payments"
      inputMode="numeric"
      placeholder="No limit"
      value={entered.maxPayments}
      onText={set('maxPayments')}
      error={errorOf('maxPayments')}
    />
    <TextField
      label="Last day"
      type="date"
      value={entered.expiresOn}
      onText={set('expiresOn')}
      error={errorOf('expiresAt')}
    />
  </Columns>
);

/** The request with the fields that are filled in. The API reports missing ones. */
function bodyOf(
  entered: Entered,
  price: { token: string; network: string; amount: string; atomic: string | undefined },
): NewLink {
  const { name, description, receiveAddress, successUrl, maxPayments, expiresOn, isOpen } = entered;
  return {
    name,
    description,
    token: price.token,
    network: price.network,
    receiveAddress,
    ...(isOpen ? { openAmount: true } : { amount: price.atomic ?? price.amount }),
    ...(successUrl && { successUrl }),
    ...(maxPayments && { maxPayments: Number(maxPayments) }),
    ...(expiresOn && { expiresAt: `${expiresOn}T23:59:59Z` }),
  };
}
