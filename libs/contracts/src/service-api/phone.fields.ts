import { Text, type TextOptions } from '@tollbridge/rpc';

/**
 * A phone number. `00` in front of the country code means `+`, and separators mean nothing. In a query the plus may arrive
 * as a space.
 */
export const PhoneNumber = (options: TextOptions) =>
  Text({
    hasNoSpaces: true,
    ...options,
    rewrite: (text) => text.replace(/(?<=[0-9])[ .-](?=[0-9])/g, '').replace(/^00(?=[1-9])/, '+'),
  });
