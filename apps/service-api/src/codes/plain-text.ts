/** Elements without readable text. */
const unseen = new Set(['style', 'script', 'head', 'title', 'noscript', 'svg']);
/** Elements within a line: their text is joined without a gap, as in a browser. */
const inline = new Set([
  'a',
  'b',
  'big',
  'bdi',
  'bdo',
  'code',
  'em',
  'font',
  'i',
  'mark',
  's',
  'small',
  'span',
  'strong',
]);
for (const name of ['sub', 'sup', 'tt', 'u', 'wbr', 'o:p']) inline.add(name);
const cells = new Set(['td', 'th']);

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  zwnj: '',
  zwj: '',
  shy: '',
  copy: '©',
  euro: '€',
  pound: '£',
  yen: '¥',
  ndash: '-',
  mdash: '-',
  hyphen: '-',
  middot: '·',
  bull: '•',
  ensp: ' ',
  emsp: ' ',
};
// The length of the longest name above, and of `#x10ffff`.
const longestEntity = 8;

/** Returns approximately the visible text of an HTML mail, in one pass for any input, because mail can be malicious. */
export function textOfHtml(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    parts.push(asOneLine(html.slice(at, open)));
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + 4);
      continue;
    }
    const name = tagName(html, open);
    at = name === undefined ? open + 1 : after(html, '>', open);
    if (name === undefined) parts.push('<');
    // The content of an unclosed element is not visible, so everything after the element is skipped.
    else if (unseen.has(name)) at = afterElement(html, name, at);
    else parts.push(gapOf(name));
  }
  if (at < html.length) parts.push(asOneLine(html.slice(at)));
  return decodeEntities(parts.join(''));
}

/** Line breaks in the source are not line breaks on the page. */
const asOneLine = (text: string): string => text.replace(/\s+/g, ' ');

function gapOf(name: string): string {
  if (inline.has(name.replace(/^\//, ''))) return '';
  return cells.has(name.replace(/^\//, '')) ? ' ' : '\n';
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found + end.length;
}

// Searches once per element: without a closing tag, the rest of the text is skipped, which keeps the time linear.
function afterElement(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2))
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return after(html, '>', at);
  return html.length;
}

/** The name in lower case, with the slash of an end tag; undefined when `<` begins no tag. */
function tagName(html: string, open: number): string | undefined {
  // Longer names are not relevant.
  const [name] = /^[/!?]?[a-z][a-z0-9:]*/i.exec(html.slice(open + 1, open + 16)) ?? [];
  return name?.toLowerCase();
}

function decodeEntities(text: string): string {
  const [first = '', ...rest] = text.split('&');
  return [first, ...rest.map(decodeEntity)].join('');
}

function decodeEntity(text: string): string {
  const end = text.slice(0, longestEntity + 1).indexOf(';');
  const name = text.slice(0, Math.max(end, 0));
  const char = name.startsWith('#') ? charOf(name) : entities[name];
  return char === undefined ? `&${text}` : char + text.slice(end + 1);
}

function charOf(name: string): string | undefined {
  const isHex = /^#x/i.test(name);
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
