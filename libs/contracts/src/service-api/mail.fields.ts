import { type FieldOptions, type Undescribed } from '@tollbridge/rpc';
import { Text } from '../decorators';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** One address without name, quotes or comments, so that it cannot be parsed as a second address or as a header. */
const address = `[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@${label}(?:\\.${label})+`;

/** One email address. RFC 5321 allows at most 254 characters. */
export const MailAddressText = (description: string, options: Undescribed<FieldOptions>) =>
  Text(description, {
    ...options,
    maxLength: 254,
    pattern: new RegExp(`^(?=[^@]{1,64}@)${address}$`),
    patternMessage: 'must be one email address, such as agent@example.com',
  });

/** One email address, optionally with a name: `Agent <agent@example.com>`. */
export const SenderText = (description: string, options: Undescribed<FieldOptions>) =>
  Text(description, {
    ...options,
    maxLength: 330,
    pattern: new RegExp(`^(?:(?=[^@]{1,64}@)${address}|[^<>@"\\\\,;:]{1,64}<(?=[^@]{1,64}@)${address}>)$`),
    patternMessage: 'must be an email address, optionally with a name: Agent <agent@example.com>',
  });
