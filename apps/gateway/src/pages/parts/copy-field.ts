import { html, type Html } from './html';
import type { Language } from '../texts/language';

/** A value with a copy button. Without scripts the button is hidden, and a tap selects the value. */
export function copyField(name: string, value: string, { text }: Language, shown: string = value): Html {
  return html`<div class="field">
    <h3>${name}</h3>
    <div class="copyable">
      <code dir="ltr">${shown}</code>
      <button type="button" class="copy" data-copy="${value}" aria-label="${text('copyName', { name })}">
        ${text('copy')}
      </button>
    </div>
  </div>`;
}
