import type { DomainError } from '@tollbridge/rpc';
import { html } from '../parts/html';
import type { Page } from '../parts/layout';
import { ltr, type Language, type TextKey } from '../texts/language';
import { apiMessage } from '../parts/api-message';

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

// Statuses where a repeated request may succeed soon.
const passing: readonly number[] = [429, 502, 503, 504];

/**
 * A failure page: advice for the payer, and the message of the API.
 * @param isRead whether the page may be requested again; the browser then repeats the request until it succeeds
 */
export function failurePage(
  { status, message }: DomainError,
  requestId: string,
  language: Language,
  isRead = false,
): Page {
  const { text, rich } = language;
  const [title, hint] = texts[status] ?? ['failedOther', 'failedUnavailableHint'];
  const body = html`<h1>${text(title)}</h1>
    ${apiMessage(message)}
    <p>${text(hint)}</p>
    <p class="soft">${rich('requestNumber', { id: ltr(requestId) })}</p>`;
  const page = { title: text(title), body, language };
  if (!isRead || !passing.includes(status)) return page;
  return { ...page, enhancement: { kind: 'unavailable', id: '', families: [], texts: {} } };
}
