import { html, type Html } from './html';
import type { Language } from '../texts/language';
import { languages } from '../texts/languages';

/** Links to the same page in other languages. They are relative, because the script changes the URL of a page. */
export function languageMenu({ code, name, text }: Language): Html {
  const item = (it: (typeof languages)[number]) =>
    html`<li>
      <a
        href="?lang=${it.code}"
        hreflang="${it.code}"
        lang="${it.code}"
        dir="${it.direction}"
        ${it.code === code && html`aria-current="true"`}
        >${it.name}</a
      >
    </li>`;
  return html`<details class="languages no-print">
    <summary aria-label="${text('language')}: ${name}">${name}</summary>
    <ul>
      ${languages.map(item)}
    </ul>
  </details>`;
}
