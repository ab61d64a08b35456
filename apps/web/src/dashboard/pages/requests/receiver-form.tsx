import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { useCreation } from '../../parts/creation';
import { TextField } from '../../parts/field';
import { Form } from '../../parts/form';

/** Asks for the receiving address of a request that has none. */
export function ReceiverForm({ id, onSaved }: { id: string; onSaved: () => Promise<void> }) {
  const [address, setAddress] = useState('');
  const body = { receive_address: address.trim() };
  const { form, errorOf } = useCreation(
    body,
    (header) =>
      dataOf(
        api.POST('/api/v1/merchant/payment-requests/{id}/receive-address', {
          body,
          params: { path: { id }, header },
        }),
      ),
    () => void onSaved(),
  );
  return (
    <Form {...form} submitLabel="Save the address" shownFields={['receive_address']}>
      <TextField
        label="Receiving address"
        hint="Payers cannot pay this request before it has one."
        value={address}
        onText={setAddress}
        error={errorOf('receive_address')}
        spellCheck={false}
      />
    </Form>
  );
}
