import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { html, trustedHtml, type Html } from './html';
import { style } from './style';

export interface Page {
  title: string;
  body: Html;
  /** Seconds after which a browser reloads the page, which has no script. */
  refreshSeconds?: number;
  /** Whether it may load images of other sites, over https. */
  allowsExternalImages?: boolean;
}

// Inline, so that a page is one request; the policy contains its hash, so browsers apply no other style.
const styleElement = trustedHtml(`<style>${style}</style>`);
const styleHash = createHash('sha256').update(style).digest('base64');

/** The policy of a page without a script. */
export function policyOf({ allowsExternalImages = false }: Pick<Page, 'allowsExternalImages'>): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `img-src 'self'${allowsExternalImages ? ' https:' : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A whole page, without a script; the policy allows none. */
export function renderPage({ title, body, refreshSeconds }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>${body}</main>
        <footer>Tollbridge</footer>
      </body>
    </html> `.text;
}

export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return reply
    .status(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page))
    .header('cross-origin-opener-policy', 'same-origin')
    .send(renderPage(page));
}
