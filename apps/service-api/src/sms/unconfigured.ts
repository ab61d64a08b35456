import { DomainError } from '@tollbridge/rpc';
import type { TextMessages } from './send/text-messages';
import type { VirtualNumbers } from './numbers/virtual-numbers';

const refuse = (sentence: string) => async (): Promise<never> => {
  throw new DomainError('SERVICE_UNAVAILABLE', sentence);
};

const noNumbers = refuse('Rented numbers are not configured in this deployment.');
const noMessages = refuse('Text messages are not configured in this deployment.');

/** Where no provider is configured: everything else of the service works. */
export const unconfiguredNumbers: VirtualNumbers = {
  name: 'none',
  price: noNumbers,
  rent: noNumbers,
  state: noNumbers,
  active: noNumbers,
  cancel: noNumbers,
};
export const unconfiguredMessages: TextMessages = { name: 'none', send: noMessages, lastTo: noMessages };
