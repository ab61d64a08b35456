/** Markup that is safe to send: built by `html`, or marked as safe by `trustedHtml`. */
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
 * A template that escapes every value except `Html`. Attribute values must be in quotes. URLs must pass `webLink`
 * first, because escaping does not make `javascript:` harmless.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(render).join('') : escaped(String(value));
}

/** For markup of a library or of this repository. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

/** A URL that is safe in a link or an image: http or https, without credentials; null for any other text. */
export function webLink(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' ? href : null;
}

const walletSchemes = ['ethereum:', 'bitcoin:', 'litecoin:', 'dogecoin:', 'solana:', 'ton:'];

/** A URL that wallets open and browsers do not execute; null for any other text. */
export function walletLink(text: string | null | undefined): string | null {
  return text && URL.canParse(text) && walletSchemes.includes(new URL(text).protocol) ? text : null;
}
