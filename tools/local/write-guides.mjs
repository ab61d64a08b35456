import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/**
 * The pages that the gateway serves at /guides, grouped by purpose and in the order of their use. Each entry is the
 * name of a file below docs/.
 */
const guideGroups = [
  {
    title: 'Take payments',
    files: [
      'guides/pay',
      'guides/pay-networks',
      'guides/pay-across',
      'guides/shop',
      'guides/prices',
      'guides/embed',
      'paylinks',
      'guides/webhooks',
    ],
  },
  { title: 'Swap and pay out', files: ['guides/swap', 'guides/payouts'] },
  { title: 'Sell and buy by HTTP 402', files: ['guides/paid-routes', 'guides/x402-clients'] },
  { title: 'Buy services', files: ['guides/services', 'guides/agents'] },
  { title: 'Test and go live', files: ['guides/test-clock', 'guides/production'] },
  {
    title: 'Reference',
    files: ['chains', 'sign-in', 'mcp', 'webhooks', 'events', 'nano-payments', 'attestation', 'glossary'],
  },
];

export const guideFiles = guideGroups.flatMap(({ files }) => files);

/** @param {string} file below docs/, without its extension @returns {string} the last part of the URL of its page */
export const slugOf = (file) => (file === 'webhooks' ? 'webhook-messages' : posix.basename(file));

/**
 * @typedef {{ id: string, title: string, text: string }} Section
 * @typedef {{ slug: string, group: string, title: string, summary: string, html: string, markdown: string, sections: Section[] }} Guide
 */

/** Renders the guides to guides.json in a folder. @param {string} root the checkout @param {string} folder */
export async function writeGuides(root, folder) {
  const guides = await Promise.all(
    guideFiles.map(async (file) =>
      renderGuide(file, await readFile(join(root, 'docs', `${file}.md`), 'utf8')),
    ),
  );
  await writeFile(join(folder, 'guides.json'), JSON.stringify(guides));
}

/** @param {string} file below docs/, without its extension @param {string} text Markdown @returns {Promise<Guide>} */
export async function renderGuide(file, text) {
  // Imported here and not at the top of the file, because it may just have been installed.
  const { default: MarkdownIt } = await import('markdown-it');
  const { coloured } = await import('./code-colours.mjs');
  const markdown = new MarkdownIt({ html: false, highlight: coloured });
  const { fence } = markdown.renderer.rules;
  // A frame for the copy button, which must not scroll with the text.
  markdown.renderer.rules.fence = (...given) => `<div class="code">${fence(...given)}</div>`;
  const tokens = withoutComments(markdown.parse(text, {}));
  followLinks(tokens, file);
  const sections = nameHeadings(tokens);
  for (const token of tokens) if (token.type === 'fence') token.attrSet('tabindex', '0');
  const [first] = sections;
  if (!first) throw new Error(`docs/${file}.md has no heading`);
  const summary = first.text.split('. ')[0].replace(/\.?$/, '.');
  const html = markdown.renderer.render(tokens, markdown.options, {});
  const group = guideGroups.find(({ files }) => files.includes(file))?.title ?? '';
  return { slug: slugOf(file), group, title: first.title, summary, html, markdown: text, sections };
}

/**
 * Generated files begin with a comment. It is parsed as a paragraph, because HTML is not allowed. @param {any[]} tokens
 */
const withoutComments = (tokens) =>
  tokens.filter((_, at) => !tokens.slice(Math.max(0, at - 1), at + 2).some(isComment));

/** @param {any} token @returns {boolean} */
const isComment = ({ type, content }) => type === 'inline' && /^<!--[^]*-->$/.test(content);

/** Gives each heading an id, and collects the text below it. @param {any[]} tokens @returns {Section[]} */
function nameHeadings(tokens) {
  /** @type {Section[]} */
  const sections = [];
  const used = new Map();
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') {
      const title = textOf(tokens[at + 1]);
      const base = title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replace(/ /g, '-');
      const count = used.get(base) ?? 0;
      used.set(base, count + 1);
      const id = count === 0 ? base : `${base}-${count}`;
      token.attrSet('id', id);
      sections.push({ id, title, text: '' });
      return;
    }
    const section = sections.at(-1);
    const isTitle = tokens[at - 1]?.type === 'heading_open';
    if (!section || isTitle || !['inline', 'fence'].includes(token.type)) return;
    section.text = `${section.text} ${textOf(token)}`.trim();
  });
  return sections;
}

/** @param {any} token @returns {string} */
const textOf = ({ children, content }) =>
  children
    ? children
        .map((/** @type {any} */ child) => child.content || (child.type === 'softbreak' ? ' ' : ''))
        .join('')
    : content;

/**
 * Keeps links between served pages. Other links refer to repository files, which a gateway does not serve, and become
 * text.
 * @param {any[]} tokens
 * @param {string} from
 */
function followLinks(tokens, from) {
  for (const { children } of tokens) {
    /** @type {string[]} the element of each open link */
    const open = [];
    for (const child of children ?? []) {
      if (child.type === 'link_open') {
        const target = targetOf(child.attrGet('href'), from);
        if (target === undefined) [child.tag, child.attrs] = ['span', []];
        else child.attrSet('href', target);
        open.push(child.tag);
      }
      if (child.type === 'link_close') child.tag = open.pop() ?? 'a';
    }
  }
}

/** @param {string} href @param {string} from @returns {string | undefined} */
function targetOf(href, from) {
  if (/^(https?:|#)/.test(href)) return href;
  const [path, fragment] = href.split('#');
  const file = posix.normalize(posix.join(dirname(from), path)).replace(/\.md$/, '');
  if (file === 'errors') return '/docs/errors';
  if (['openapi.json', 'asyncapi.json'].includes(file)) return `/${file}`;
  return guideFiles.includes(file) ? `/guides/${slugOf(file)}${fragment ? `#${fragment}` : ''}` : undefined;
}
