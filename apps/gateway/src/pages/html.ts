/** Markup that is safe to send: made by `html` only, or vouched for by `trustedHtml`. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => entities[character]!);
}

/**
 * A template whose values are escaped, wherever they come from; only `Html` is put in as it is. Values in attributes
 * stand in quotes, and addresses go through `webLink` first: escaping does not make `javascript:` harmless.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(render).join('') : escaped(String(value));
}

/** For markup that a library or this repository has made. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

/** An address that may stand in a link or a picture: http or https, without credentials; null for every other text. */
export function webLink(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' ? href : null;
}

const walletSchemes = ['ethereum:', 'bitcoin:', 'litecoin:', 'dogecoin:'];

/** An address that wallets open, and nothing that a browser would run; null for every other text. */
export function walletLink(text: string | null | undefined): string | null {
  return text && URL.canParse(text) && walletSchemes.includes(new URL(text).protocol) ? text : null;
}
