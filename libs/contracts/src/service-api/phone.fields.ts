import { type TextOptions, type Undescribed } from '@tollbridge/rpc';
import { Text } from '../decorators';

/**
 * A phone number. `00` in front of the country code means `+`, and separators mean nothing, nor do parentheses around
 * an area code; a `(0)` is left out in some countries and dialled in others, so it is rejected.
 */
export const PhoneNumber = (description: string, options: Undescribed<TextOptions>) =>
  Text(description, {
    ...options,
    rewrite: (text) =>
      text
        .replace(/(?<=[0-9] ?)\(([1-9][0-9]*)\)(?= ?[0-9])/, '$1')
        .replace(/(?<=[0-9])[ .-](?=[0-9])/g, '')
        .replace(/^00(?=[1-9])/, '+'),
  });
