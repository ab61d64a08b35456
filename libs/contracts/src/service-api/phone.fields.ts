import { type TextOptions, type Undescribed } from '@tollbridge/rpc';
import { Text } from '../decorators';

/**
 * A phone number. `00` before the country code means `+`. Separators and parentheses around an area code are ignored. A
 * `(0)` is rejected, because it is omitted in some countries and dialled in others.
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
