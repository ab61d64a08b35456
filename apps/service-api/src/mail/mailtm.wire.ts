import { fieldsOf, type Fields } from '@tollbridge/http';
import type { MailboxDomain, MailDetails, MailParty, MailSummary } from './disposable-mail';
import { itemsOf, nameOf, shownText, timeOf } from './read-fields';

// The provider gives 30 messages at once. With all that strangers write into so many, a list fits into a message of the bus.
const [maxDomains, maxMessages, maxParties] = [100, 50, 100];
const [maxNameLength, maxSubjectLength, maxRecipientsLength] = [512, 1_000, 2_000];
// Together with what escapes them in JSON they fit into a message of the bus.
const [maxTextLength, maxHtmlLength] = [50_000, 150_000];
const maxIdLength = 64;

/** A list comes plainly, or as a Hydra collection. */
export function listOf(reply: unknown, maxItems: number): unknown[] {
  if (Array.isArray(reply)) return itemsOf(reply, 'the reply', maxItems);
  const fields = fieldsOf(reply, 'the reply');
  return itemsOf(fields['hydra:member'] ?? fields['member'], 'the collection', maxItems);
}

/** Those below which anybody may make an account. */
export function readDomains(reply: unknown): MailboxDomain[] {
  return listOf(reply, maxDomains)
    .map((item) => fieldsOf(item, 'a domain'))
    .filter((it) => it['isActive'] === true && it['isPrivate'] !== true)
    .map((it) => ({ id: nameOf(it, 'id', maxIdLength), domain: nameOf(it, 'domain', 200) }));
}

export function readAccount(reply: unknown): { id: string; address: string } {
  const fields = fieldsOf(reply, 'the account');
  return { id: nameOf(fields, 'id', maxIdLength), address: nameOf(fields, 'address', 254) };
}

export const readToken = (reply: unknown): string => nameOf(fieldsOf(reply, 'the reply'), 'token', 4_096);

export function readSummaries(reply: unknown): MailSummary[] {
  return listOf(reply, maxMessages).map((item) => readSummary(fieldsOf(item, 'a message')));
}

export function readDetails(reply: unknown): MailDetails {
  const fields = fieldsOf(reply, 'the message');
  const html = [fields['html'] ?? []].flat().filter((part): part is string => typeof part === 'string');
  const [text, wholeHtml] = [fields['text'], html.join('\n')];
  const isCut = (typeof text === 'string' && text.length > maxTextLength) || wholeHtml.length > maxHtmlLength;
  return {
    ...readSummary(fields),
    text: shownText(text, maxTextLength),
    html: html.length === 0 ? null : shownText(wholeHtml, maxHtmlLength),
    truncated: isCut,
  };
}

function readSummary(fields: Fields): MailSummary {
  const { to, size } = fields;
  return {
    id: nameOf(fields, 'id', maxIdLength),
    from: readParty(fields['from']),
    to: readRecipients(to),
    subject: shownText(fields['subject'], maxSubjectLength),
    intro: shownText(fields['intro'], maxSubjectLength),
    seen: fields['seen'] === true,
    hasAttachments: fields['hasAttachments'] === true,
    size: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : 0,
    createdAt: timeOf(fields, 'createdAt'),
  };
}

/** As many as are not too long together. */
function readRecipients(value: unknown): MailParty[] {
  const all = (Array.isArray(value) ? value.slice(0, maxParties) : []).map(readParty);
  let length = 0;
  return all.filter(({ address, name }) => (length += address.length + name.length) <= maxRecipientsLength);
}

function readParty(value: unknown): MailParty {
  const { address, name } = (value ?? {}) as Fields;
  return { address: shownText(address, maxNameLength), name: shownText(name, maxNameLength) };
}
