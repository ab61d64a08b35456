import { DomainError } from '@tollbridge/rpc';
import type { TextMessages } from './send/text-messages';
import type { VirtualNumbers } from './numbers/virtual-numbers';

const unavailable = (message: string) => async (): Promise<never> => {
  throw new DomainError('SERVICE_UNAVAILABLE', message);
};

const noNumbers = unavailable('Rented numbers are not configured in this deployment.');
const noMessages = unavailable('Text messages are not configured in this deployment.');

/** Replaces a provider that is not configured. */
export const unconfiguredNumbers: VirtualNumbers = {
  name: 'none',
  price: noNumbers,
  rent: noNumbers,
  state: noNumbers,
  active: noNumbers,
  cancel: noNumbers,
};
export const unconfiguredMessages: TextMessages = { name: 'none', send: noMessages, lastTo: noMessages };
