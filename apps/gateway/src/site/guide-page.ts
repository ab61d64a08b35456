import { html, trustedHtml, type Html } from '../pages/parts/html';
import type { Guide, GuideGroup, Guides } from './guides';

// The limit of a search text, because each word costs a search.
export const mostChars = 100;

export const searchForm = (words: string): Html =>
  html`<form class="search" role="search" action="/guides">
    <label for="q">Search guides and API</label>
    <input id="q" name="q" type="search" value="${words}" maxlength="${mostChars}" required />
    <button>Search</button>
  </form>`;

/** All guides by purpose, each with its summary. */
export const guideList = (groups: readonly GuideGroup[]): Html =>
  html`${groups.map(
    ({ title, guides }) =>
      html`<h2>${title}</h2>
        <ul class="cards">
          ${guides.map(
            ({ slug, title, summary }) =>
              html`<li>
                <a href="/guides/${slug}">${title}</a>
                <p>${summary}</p>
              </li>`,
          )}
        </ul>`,
  )}`;

/** A guide next to the list of all guides, with links to the previous and next guide. */
export function guideBody(guide: Guide, guides: Guides): Html {
  const at = guides.all.indexOf(guide);
  return html`<div class="guide">
    <div class="menu">
      <button class="button quiet" popovertarget="all-guides">All guides</button>
      <nav id="all-guides" popover aria-label="Guides">
        ${searchForm('')} ${guides.groups.map((group) => groupList(group, guide))}
      </nav>
    </div>
    <div>
      <article>${trustedHtml(guide.html)}</article>
      <nav class="neighbours" aria-label="Neighbouring guides">
        ${neighbour(guides.all[at - 1], 'prev')} ${neighbour(guides.all[at + 1], 'next')}
      </nav>
    </div>
  </div>`;
}

/** The sections of the open guide are listed below it. */
const groupList = ({ title, guides }: GuideGroup, open: Guide): Html =>
  html`<p class="group">${title}</p>
    <ul>
      ${guides.map((guide) =>
        guide === open
          ? html`<li>
              <a href="/guides/${guide.slug}" aria-current="page">${guide.title}</a>
              <ul>
                ${guide.sections.slice(1).map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
              </ul>
            </li>`
          : html`<li><a href="/guides/${guide.slug}">${guide.title}</a></li>`,
      )}
    </ul>`;

const neighbour = (guide: Guide | undefined, rel: 'prev' | 'next'): Html | undefined =>
  guide &&
  html`<a href="/guides/${guide.slug}" rel="${rel}"
    ><span class="soft">${rel === 'prev' ? 'Previous' : 'Next'}</span> ${guide.title}</a
  >`;
