import { html, type Html } from '../../pages/parts/html';

/** Renders paragraphs with `code` and **strong** text, the only Markdown of descriptions. Everything else is text. */
export const paragraphs = (text: string): Html[] =>
  text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p>${markedText(part.trim())}</p>`);

export function markedText(text: string): Html[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`[^`]+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    return /^\*\*[^*]+\*\*$/.test(part) ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`;
  });
}

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;

/** JSON with the syntax colours of the guides. */
export function colouredJson(value: unknown): Html[] {
  const text = JSON.stringify(value, null, 2);
  const shown: Html[] = [];
  let end = 0;
  for (const { 0: token, 1: quoted, 2: colon = '', index } of text.matchAll(tokens)) {
    const kind = quoted === undefined ? 'n' : colon ? 'f' : 's';
    shown.push(html`${text.slice(end, index)}<span class="${kind}">${quoted ?? token}</span>${colon}`);
    end = index + token.length;
  }
  return [...shown, html`${text.slice(end)}`];
}
