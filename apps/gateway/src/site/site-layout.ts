import type { FastifyReply } from 'fastify';
import { sendCompressed } from '../documents/compressed-text';
import { html, type Html } from '../pages/parts/html';
import type { WebFiles } from '../web/web-files';

export interface SitePage {
  title: string;
  description: string;
  body: Html;
  /** The selected entry of the navigation. */
  current?: '/guides' | '/docs';
  /** The script of the page. Without it, the page has none. */
  script?: 'guides' | 'reference';
}

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const policyOf = ({ script }: SitePage): string =>
  [...policy, ...(script ? ["script-src 'self'"] : [])].join('; ');

const navigation = [
  ['/guides', 'Guides'],
  ['/docs', 'API'],
  ['/dashboard', 'Dashboard'],
] as const;

export const siteHeaders = (page: SitePage) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyOf(page),
  'cross-origin-opener-policy': 'same-origin',
});

/** Sends the landing page or a page of the guides. */
export function sendSitePage(
  reply: FastifyReply,
  { files, page, status = 200 }: { files: WebFiles; page: SitePage; status?: number },
): Promise<FastifyReply> {
  void reply.status(status).headers(siteHeaders(page));
  return sendCompressed(reply, renderSitePage(page, files));
}

export function renderSitePage(
  { title, description, body, current, script }: SitePage,
  files: WebFiles,
): string {
  const entry = script && files.entry(script);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${description}" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="${files.entry('site').file}" />
        ${entry?.styles.map((url) => html`<link rel="stylesheet" href="${url}" />`)}
        ${entry?.imports.map((url) => html`<link rel="modulepreload" href="${url}" />`)}
        ${entry && html`<script type="module" src="${entry.file}"></script>`}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="site">
          <nav aria-label="Main">
            <a class="brand" href="/">Tollbridge</a>
            ${navigation.map(
              ([path, name]) =>
                html`<a href="${path}" ${path === current && html`aria-current="page"`}>${name}</a>`,
            )}
          </nav>
        </header>
        <main id="main">${body}</main>
        <footer class="site">
          <a href="/openapi.json">openapi.json</a> <a href="/asyncapi.json">asyncapi.json</a>
          <a href="/docs/errors">Error codes</a> <a href="/health/services">Health</a>
        </footer>
      </body>
    </html> `.text;
}
