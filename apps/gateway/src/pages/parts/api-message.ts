import { html, type Html } from './html';

/** A message of the API, which is in English. The page itself explains the next step in the payer's language. */
export const apiMessage = (message: string): Html => html`<p lang="en" dir="ltr">${message}</p>`;
