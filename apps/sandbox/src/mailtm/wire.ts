import type { MailAddress, StoredMail } from '../mail/mail.repository';
import { mailDomains } from '../mail/domains';
import type { MailtmAccount } from './accounts.repository';

const quotaBytes = 40_000_000;
const retentionMs = 7 * 24 * 60 * 60_000;
const isoOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
// A fixed creation time for the sandbox's domains.
const epoch = '2026-01-01T00:00:00+00:00';

export function describeDomains(): Record<string, unknown>[] {
  return mailDomains.mailtm.map((domain, index) => ({
    '@id': `/domains/${idOfDomain(index)}`,
    '@type': 'Domain',
    id: idOfDomain(index),
    domain,
    isActive: true,
    isPrivate: false,
    createdAt: epoch,
    updatedAt: epoch,
  }));
}

const idOfDomain = (index: number): string => `68e0f1a2b3c4d5e6f7a8b9c${index}`;

export function describeAccount({ id, address, createdAtMs }: MailtmAccount, used: number) {
  return {
    '@context': '/contexts/Account',
    '@id': `/accounts/${id}`,
    '@type': 'Account',
    id,
    address,
    quota: quotaBytes,
    used,
    isDisabled: false,
    isDeleted: false,
    createdAt: isoOf(createdAtMs),
    updatedAt: isoOf(createdAtMs),
  };
}

const addressOf = ({ address, name }: MailAddress) => ({ address, name });

export function describeListed({ id, content, seen, receivedAtMs }: StoredMail, accountId: string) {
  const { from, to, subject, text, attachments, size, messageId } = content;
  return {
    '@id': `/messages/${id}`,
    '@type': 'Message',
    id,
    accountId: `/accounts/${accountId}`,
    msgid: messageId,
    from: addressOf(from),
    to: to.map(addressOf),
    subject,
    intro: text.slice(0, 120),
    seen,
    isDeleted: false,
    hasAttachments: attachments.length > 0,
    size,
    downloadUrl: `/messages/${id}/download`,
    sourceUrl: `/sources/${id}`,
    createdAt: isoOf(receivedAtMs),
    updatedAt: isoOf(receivedAtMs),
  };
}

export function describeDetail(mail: StoredMail, accountId: string) {
  const { content, receivedAtMs } = mail;
  return {
    ...describeListed(mail, accountId),
    cc: content.cc.map(addressOf),
    bcc: [],
    flagged: false,
    verifications: { tls: null, spf: false },
    retention: true,
    retentionDate: isoOf(receivedAtMs + retentionMs),
    text: content.text,
    html: content.html === null ? [] : [content.html],
    attachments: content.attachments.map((it, index) => ({
      id: `ATTACH${String(index).padStart(6, '0')}`,
      ...it,
      disposition: 'attachment',
      transferEncoding: 'base64',
      related: false,
      downloadUrl: `/messages/${mail.id}/attachment/ATTACH${String(index).padStart(6, '0')}`,
    })),
  };
}

export interface Violation {
  propertyPath: string;
  message: string;
}

/** An error in the provider's format. */
export class MailtmRejection extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly violations: readonly Violation[] = [],
  ) {
    super(message);
  }

  static invalid(...violations: Violation[]): MailtmRejection {
    const text = violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`).join('\n');
    return new MailtmRejection(422, text, violations);
  }
}

export function describeRejection({ status, message, violations }: MailtmRejection): object {
  if (status === 401) return { code: 401, message };
  if (violations.length === 0)
    return {
      type: 'https://tools.ietf.org/html/rfc2616#section-10',
      title: 'An error occurred',
      detail: message,
    };
  return {
    '@context': '/contexts/ConstraintViolationList',
    '@type': 'ConstraintViolationList',
    status,
    type: '/validation_errors/23bd9dbf-6b9b-41cd-a99e-4844bcf3077f',
    title: 'An error occurred',
    'hydra:title': 'An error occurred',
    'hydra:description': message,
    detail: message,
    violations: violations.map((it) => ({ ...it, code: '23bd9dbf-6b9b-41cd-a99e-4844bcf3077f' })),
  };
}
