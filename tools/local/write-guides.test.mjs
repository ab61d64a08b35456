import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
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
  it('are all files of docs/guides, under different names', () => {
    const files = filesIn(join(repository, 'docs/guides')).filter((path) => path.endsWith('.md'));
    const names = files.map((path) => path.slice(join(repository, 'docs/').length).replace(/\.md$/, ''));
    assert.deepEqual(
      names.filter((name) => !guideFiles.includes(name)),
      [],
    );
    assert.equal(new Set(guideFiles.map(slugOf)).size, guideFiles.length);
  });

  it('have links only to pages and sections that exist', () => {
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

  it('are part of the context of the image', () => {
    const ignored = readFileSync(join(repository, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
    const folders = ['docs', ...guideFiles.map((file) => join('docs', file, '..'))];
    assert.deepEqual(
      folders.filter((folder) => ignored.includes(folder)),
      [],
    );
    assert.ok(guideFiles.every((file) => existsSync(join(repository, 'docs', `${file}.md`))));
  });
});

describe('renderGuide', () => {
  it('puts each code block into a frame for its copy button', async () => {
    const { html } = await renderGuide('chains', '# One\n\n```sh\nnpm start\n```\n\n~~~\nx\n~~~');
    assert.equal(html.match(/<div class="code"><pre\b[^>]*><code\b[^>]*>[^]*?<\/pre>\s*<\/div>/g)?.length, 2);
  });

  it('names headings as GitHub does, and shows links to other files as text', async () => {
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
