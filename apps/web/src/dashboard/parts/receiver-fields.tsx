import { TextField } from './field';

export interface Receiver {
  receiveAddress: string;
  successUrl: string;
}

interface ReceiverFieldsProps {
  receiver: Receiver;
  onReceiver: (name: keyof Receiver) => (text: string) => void;
  errors: Record<keyof Receiver, string | undefined>;
}

/** The receiving address, and the page where the payer returns to. */
export const ReceiverFields = ({ receiver, onReceiver, errors }: ReceiverFieldsProps) => (
  <>
    <TextField
      label="Receiving address"
      value={receiver.receiveAddress}
      onText={onReceiver('receiveAddress')}
      error={errors.receiveAddress}
      spellCheck={false}
    />
    <TextField
      label="Page after the payment"
      type="url"
      placeholder="https://"
      value={receiver.successUrl}
      onText={onReceiver('successUrl')}
      error={errors.successUrl}
    />
  </>
);
