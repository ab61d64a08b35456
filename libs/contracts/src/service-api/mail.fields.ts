import { Text, type TextOptions } from '@tollbridge/rpc';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** One address without a name, quotes or comments: nothing in it can be taken for a second one, or for a header. */
const address = `[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@${label}(?:\\.${label})+`;

/** One address of e-mail; RFC 5321 knows none of more than 254 characters. */
export const MailAddressText = (options: Pick<TextOptions, 'description' | 'example' | 'optional'>) =>
  Text({
    ...options,
    maxLength: 254,
    pattern: new RegExp(`^(?=[^@]{1,64}@)${address}$`),
    patternMessage: 'must be one address of e-mail, such as agent@example.com',
  });

/** The same, or with a name: `Agent <agent@example.com>`. */
export const SenderText = (options: Pick<TextOptions, 'description' | 'example' | 'optional'>) =>
  Text({
    ...options,
    maxLength: 330,
    pattern: new RegExp(`^(?:(?=[^@]{1,64}@)${address}|[^<>@"\\\\,;:]{1,64}<(?=[^@]{1,64}@)${address}>)$`),
    patternMessage: 'must be an address of e-mail, or a name and one: Agent <agent@example.com>',
  });
