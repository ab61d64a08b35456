import type { DomainError } from '@tollbridge/rpc';
import { html } from './html';
import type { Page } from './layout';

const titles: Partial<Record<number, string>> = {
  400: 'This cannot be used',
  404: 'Not found',
  409: 'This is no longer possible',
  413: 'This is too large',
  415: 'This cannot be read',
  422: 'This cannot be done',
  429: 'Too many requests',
  502: 'A provider did not answer',
  503: 'Temporarily unavailable',
  504: 'Timed out',
};

/** A failure, with the message of the API. */
export function failurePage({ status, message }: DomainError, requestId: string): Page {
  const title = titles[status] ?? 'Something went wrong';
  const body = html`<h1>${title}</h1>
    <p>${message}</p>
    <p class="soft">Go back to try again. Request: ${requestId}</p>`;
  return { title, body };
}
