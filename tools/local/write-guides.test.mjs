import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { colourClasses } from './code-colours.mjs';
import { filesIn } from './files-in.mjs';
import { repository } from './directory.mjs';
import { guideFiles, renderGuide, slugOf } from './write-guides.mjs';

/** @type {import('./write-guides.mjs').Guide[]} */
let guides;

before(async () => {
  guides = await Promise.all(
    guideFiles.map((file) => renderGuide(file, readFileSync(join(repository, 'docs', `${file}.md`), 'utf8'))),
  );
});

describe('the guides that a gateway serves', () => {
  it('include all files of docs/guides, with different names', () => {
    const files = filesIn(join(repository, 'docs/guides')).filter((path) => path.endsWith('.md'));
    const names = files.map((path) => path.slice(join(repository, 'docs/').length).replace(/\.md$/, ''));
    assert.deepEqual(
      names.filter((name) => !guideFiles.includes(name)),
      [],
    );
    assert.equal(new Set(guideFiles.map(slugOf)).size, guideFiles.length);
  });

  it('link only to existing pages and sections', () => {
    const places = new Set(
      guides.flatMap(({ slug, sections }) => [
        `/guides/${slug}`,
        ...sections.map(({ id }) => `/guides/${slug}#${id}`),
      ]),
    );
    const dead = guides.flatMap(({ slug, html }) =>
      [...html.matchAll(/href="([^"]*)"/g)]
        .map(([, href]) => (href?.startsWith('#') ? `/guides/${slug}${href}` : href))
        .filter((href) => href?.startsWith('/guides/') && !places.has(decodeURIComponent(href))),
    );
    assert.deepEqual(dead, []);
    const outside = guides.flatMap(({ html }) => html.match(/href="(?!https?:|#|\/)[^"]*"/g) ?? []);
    assert.deepEqual(outside, []);
  });

  it('belong to the build context of the image', () => {
    const ignored = readFileSync(join(repository, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
    const folders = ['docs', ...guideFiles.map((file) => join('docs', file, '..'))];
    assert.deepEqual(
      folders.filter((folder) => ignored.includes(folder)),
      [],
    );
    assert.ok(guideFiles.every((file) => existsSync(join(repository, 'docs', `${file}.md`))));
  });
});

/** The text of HTML without attributes that contain `>`. @param {string} html */
const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

describe('the code of the guides', () => {
  it('has colours without a script', () => {
    const blocks = guides.flatMap(({ html }) => [
      ...html.matchAll(/<code [^>]*class="language-(\w+)">([^]*?)<\/code>/g),
    ]);
    // A command such as `npm start` has nothing to colour.
    const inCode = blocks.filter(([, language]) => ['js', 'ts', 'json', 'html'].includes(language ?? ''));
    assert.ok(inCode.length > 50, `${inCode.length} blocks`);
    assert.ok(inCode.every(([, , text]) => text?.includes('<span class="')));
    assert.ok(blocks.some(([, language, text]) => language === 'sh' && text?.includes('<span class="s">')));
    assert.ok(guides.every(({ html }) => !html.includes('<script')));
  });

  it('contains the exact text of the Markdown', () => {
    for (const { slug, html, markdown } of guides) {
      const shown = [...html.matchAll(/<pre[^>]*><code[^>]*>([^]*?)<\/code>/g)].map(([, text = '']) =>
        textOf(text).trim(),
      );
      const written = [...markdown.matchAll(/^( *)```\w*\n([^]*?)^\1```$/gm)].map(
        ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim(),
      );
      assert.deepEqual(shown, written, slug);
    }
  });

  it('does not show the comment of a generated file', () => {
    const generated = guides.filter(({ markdown }) => markdown.includes('<!-- Written by'));
    assert.ok(generated.length > 0);
    for (const { slug, html, sections } of generated) {
      assert.ok(!html.includes('&lt;!--'), slug);
      assert.ok(!JSON.stringify(sections).includes('<!--'), slug);
    }
  });

  it('adds at most 40 % to a page', () => {
    for (const { slug, html, markdown, sections } of guides) {
      const plain = html.replace(/<span class="[cksnf]">|<\/span>/g, '');
      // The length of the guide list next to each page is the length of its titles.
      const around = guides.map(({ title }) => title).join('').length + sections.length * 40 + 6_000;
      const growth = (html.length + around) / (plain.length + around) - 1;
      assert.ok(growth < 0.4, `${slug}: ${Math.round(growth * 100)} % (${markdown.length} characters)`);
    }
  });

  it('gives each colour a contrast of at least 4.5 : 1 in both themes', () => {
    const css = (/** @type {string} */ name) =>
      readFileSync(join(repository, 'apps/web/src/design', name), 'utf8');
    const [light = '', dark = ''] = css('tokens.css').split('@media (prefers-color-scheme: dark)');
    const valueIn = (/** @type {string} */ theme, /** @type {string} */ token) =>
      new RegExp(`${token}: (#[0-9a-f]{6});`).exec(theme)?.[1];
    for (const colour of colourClasses) {
      const [, token = ''] =
        new RegExp(`\\.code \\.${colour} \\{\\s*color: var\\((--[\\w-]+)\\)`).exec(css('site.css')) ?? [];
      for (const theme of [light, dark]) {
        const [text, back] = [token, '--raised'].map((name) => valueIn(theme, name));
        assert.ok(text && back, `${colour} has no colour`);
        assert.ok(contrast(text, back) >= 4.5, `${colour}: ${text} on ${back} is ${contrast(text, back)}`);
      }
    }
  });
});

/** WCAG 2.2, contrast ratio. @param {string} one @param {string} other */
function contrast(one, other) {
  const [low = 0, high = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {string} colour such as #0d131b */
function luminance(colour) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('renderGuide', () => {
  it('adds a frame for the copy button to each code block', async () => {
    const { html } = await renderGuide('chains', '# One\n\n```sh\nnpm start\n```\n\n~~~\nx\n~~~');
    assert.equal(html.match(/<div class="code"><pre\b[^>]*><code\b[^>]*>[^]*?<\/pre>\s*<\/div>/g)?.length, 2);
  });

  it('colours code, and keeps the text that the copy button copies', async () => {
    const code = 'const a = "<b>" + 1; // it\'s & `x`\nif (a) f(/"/);';
    const { html } = await renderGuide('chains', `# One\n\n\`\`\`js\n${code}\n\`\`\``);
    assert.match(html, /<span class="k">const<\/span> a = <span class="s">&quot;&lt;b&gt;&quot;<\/span>/);
    assert.match(html, /<span class="c">\/\/ it's &amp; `x`<\/span>/);
    const [, block = ''] = /<code[^>]*>([^]*?)<\/code>/.exec(html) ?? [];
    assert.equal(textOf(block), `${code}\n`);
  });

  it('creates the same heading ids as GitHub, and shows links to other files as text', async () => {
    const text =
      '# One\n\nFirst. Second.\n\n## A `b`, c\n\n[swap](guides/swap.md#x) [code](../libs/a.ts) [e](errors.md)\n\n## A b c\n\n<b>raw</b>';
    const { title, summary, sections, html } = await renderGuide('chains', text);
    assert.deepEqual([title, summary], ['One', 'First.']);
    assert.deepEqual(
      sections.map(({ id }) => id),
      ['one', 'a-b-c', 'a-b-c-1'],
    );
    assert.match(
      html,
      /<a href="\/guides\/swap#x">swap<\/a> <span>code<\/span> <a href="\/docs\/errors">e<\/a>/,
    );
    assert.match(html, /&lt;b&gt;raw/);
  });
});
