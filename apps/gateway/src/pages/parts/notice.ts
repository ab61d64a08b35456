import { html, type Html } from './html';

/** The state of the page. Screen readers announce it when it changes. */
export const notice = (kind: 'good' | 'wait' | 'bad', ...content: readonly (Html | string | false)[]): Html =>
  html`<div class="notice ${kind}" role="status">${content}</div>`;
