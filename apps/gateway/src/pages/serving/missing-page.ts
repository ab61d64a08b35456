import { html } from '../parts/html';
import type { Page } from '../parts/layout';
import { ltr, type Language } from '../texts/language';

// A longer path is truncated, because readers cannot use it.
const mostChars = 120;

const targets = [
  ['toStart', '/'],
  ['toGuides', '/guides'],
  ['toApi', '/docs'],
  ['toStatus', '/health/services'],
] as const;

export interface MissingAddress {
  path: string;
  /** The methods that the path allows, for example `POST, OPTIONS`; empty when it allows none. */
  allow: string;
}

/** The page for browsers at a path without a page: the reason, and links to other pages. */
export function missingPage({ path, allow }: MissingAddress, language: Language): Page {
  const { text, rich } = language;
  const title = text(allow === '' ? 'missingTitle' : 'otherMethodTitle');
  const shown = path.length > mostChars ? `${path.slice(0, mostChars)}…` : path;
  const body = html`<h1>${title}</h1>
    <p>
      ${allow === '' ? rich('missingPath', { path: ltr(shown) }) : rich('otherMethodPath', { path: ltr(shown), methods: ltr(allow) })}
    </p>
    <p id="targets">${text('missingHint')}</p>
    <nav aria-labelledby="targets">
      <ul class="list">
        ${targets.map(
          ([key, href]) =>
            html`<li>
              <a class="row" href="${href}"><strong>${text(key)}</strong></a>
            </li>`,
        )}
      </ul>
    </nav>`;
  return { title, body, language };
}
