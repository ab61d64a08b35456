import type { DomainError } from '@tollbridge/rpc';
import { html } from './html';
import type { Page } from './layout';
import { ltr, type Language, type TextKey } from './texts/language';
import { apiMessage } from './api-message';

type PlainKey = Extract<TextKey, `failed${string}`>;

const texts: Partial<Record<number, [title: PlainKey, hint: PlainKey]>> = {
  400: ['failedInput', 'failedInputHint'],
  404: ['failedNotFound', 'failedNotFoundHint'],
  409: ['failedConflict', 'failedConflictHint'],
  413: ['failedTooLarge', 'failedInputHint'],
  415: ['failedUnreadable', 'failedInputHint'],
  422: ['failedImpossible', 'failedImpossibleHint'],
  429: ['failedTooMany', 'failedTooManyHint'],
  502: ['failedProvider', 'failedUnavailableHint'],
  503: ['failedUnavailable', 'failedUnavailableHint'],
  504: ['failedTimeout', 'failedTimeoutHint'],
};

/** A failure: what the payer can do, and the message of the API. */
export function failurePage({ status, message }: DomainError, requestId: string, language: Language): Page {
  const { text, rich } = language;
  const [title, hint] = texts[status] ?? ['failedOther', 'failedUnavailableHint'];
  const body = html`<h1>${text(title)}</h1>
    ${apiMessage(message)}
    <p>${text(hint)}</p>
    <p class="soft">${rich('requestNumber', { id: ltr(requestId) })}</p>`;
  return { title: text(title), body, language };
}
