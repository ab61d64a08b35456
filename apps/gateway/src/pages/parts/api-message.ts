import { html, type Html } from './html';

/** A message of the API, which is in English. The page says in the language of the payer what to do. */
export const apiMessage = (message: string): Html => html`<p lang="en" dir="ltr">${message}</p>`;
