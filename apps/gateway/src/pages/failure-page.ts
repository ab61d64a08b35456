import type { DomainError } from '@tollbridge/rpc';
import { html } from './html';
import type { Page } from './layout';

const titles: Partial<Record<number, string>> = {
  400: 'This cannot be used',
  404: 'There is nothing here',
  409: 'This is no longer possible',
  413: 'This is too large',
  415: 'This cannot be read',
  422: 'This is not possible',
  429: 'Too many requests',
  502: 'A provider does not answer',
  503: 'Not reachable at present',
  504: 'No answer came in time',
};

/** What went wrong, in the words of the API. */
export function failurePage({ status, message }: DomainError, requestId: string): Page {
  const title = titles[status] ?? 'Something went wrong';
  const body = html`<h1>${title}</h1>
    <p>${message}</p>
    <p class="soft">Go back to try again. Request: ${requestId}</p>`;
  return { title, body };
}
