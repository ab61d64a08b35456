import { type Fields, readFields } from '@tollbridge/http';
import type { MailboxDomain, MailDetails, MailParty, MailSummary } from './disposable-mail';
import { itemsOf, nameOf, shownText, timeOf } from '../read-fields';

// The provider lists 30 messages a page. With these limits the largest list fits into a bus message.
const [maxDomains, maxMessages, maxParties] = [100, 50, 100];
const [maxNameLength, maxSubjectLength, maxRecipientsLength] = [512, 1_000, 2_000];
// With these lengths, a message fits into a bus message even when JSON escapes every character.
const [maxTextLength, maxHtmlLength] = [50_000, 150_000];
const maxIdLength = 64;

/** Reads a plain list or a Hydra collection. */
export function listOf(reply: unknown, maxItems: number): unknown[] {
  if (Array.isArray(reply)) return itemsOf(reply, 'the reply', maxItems);
  const fields = readFields(reply, 'the reply');
  return itemsOf(fields['hydra:member'] ?? fields['member'], 'the collection', maxItems);
}

/** The public, active domains. */
export function readDomains(reply: unknown): MailboxDomain[] {
  return listOf(reply, maxDomains)
    .map((item) => readFields(item, 'a domain'))
    .filter((it) => it['isActive'] === true && it['isPrivate'] !== true)
    .map((it) => ({ id: nameOf(it, 'id', maxIdLength), domain: nameOf(it, 'domain', 200) }));
}

export function readAccount(reply: unknown): { id: string; address: string } {
  const fields = readFields(reply, 'the account');
  return { id: nameOf(fields, 'id', maxIdLength), address: nameOf(fields, 'address', 254) };
}

export const readToken = (reply: unknown): string => nameOf(readFields(reply, 'the reply'), 'token', 4_096);

export function readSummaries(reply: unknown): MailSummary[] {
  return listOf(reply, maxMessages).map((item) => readSummary(readFields(item, 'a message')));
}

export function readDetails(reply: unknown): MailDetails {
  const fields = readFields(reply, 'the message');
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

/** Returns as many recipients as fit the total length. */
function readRecipients(value: unknown): MailParty[] {
  const all = (Array.isArray(value) ? value.slice(0, maxParties) : []).map(readParty);
  let length = 0;
  return all.filter(({ address, name }) => (length += address.length + name.length) <= maxRecipientsLength);
}

function readParty(value: unknown): MailParty {
  const { address, name } = (value ?? {}) as Fields;
  return { address: shownText(address, maxNameLength), name: shownText(name, maxNameLength) };
}
