import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { WebFiles } from '../web/web-files';
import { brandStyle } from './brand';
import { html, trustedHtml, type Html } from './html';
import { languageMenu } from './language-menu';
import type { Language } from './texts/language';
import { english } from './texts/languages';

export interface Page {
  title: string;
  body: Html;
  /** Seconds after which a browser without scripts reloads the page. */
  refreshSeconds?: number;
  /** Data for the checkout module, which makes the page live. Absent: the page has no script. */
  enhancement?: object;
  /** Whether summary and payment stand side by side on wide screens. */
  isSplit?: boolean;
  /** `#rrggbb`: the colour of the shop. */
  color?: string | null;
  /** Absent: the page exists in English only. */
  language?: Language;
}

type PolicyTerms = Pick<Page, 'color' | 'enhancement'>;

/** Renders pages with the style of `apps/web`, and with its checkout module where a page asks for it. */
@Injectable()
export class PageRenderer {
  private readonly styleElement: Html;
  private readonly styleHash: string;
  private readonly module: ReturnType<WebFiles['entry']>;

  constructor(files: WebFiles) {
    // Inline, so that a page is one request; the policy contains its hash, so browsers apply no other style.
    const style = files.pageStyle();
    this.styleElement = trustedHtml(`<style>${style}</style>`);
    this.styleHash = hashOf(style);
    this.module = files.entry('checkout');
  }

  send(reply: FastifyReply, status: number, page: Page): FastifyReply {
    if (page.language) void reply.header('vary', 'Accept-Language');
    return (
      reply
        .status(status)
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', this.policyOf(page))
        // Wallets may sign in a window of their own.
        .header('cross-origin-opener-policy', page.enhancement ? 'same-origin-allow-popups' : 'same-origin')
        .send(this.render(page))
    );
  }

  /** No inline script and no request to another site, in every page. */
  policyOf({ color, enhancement }: PolicyTerms): string {
    // Wallets announce their icons as data: URLs.
    const images = `img-src 'self'${enhancement ? ' data:' : ''}`;
    const brandHash = color ? ` '${hashOf(brandStyle(color))}'` : '';
    return [
      "default-src 'none'",
      `style-src '${this.styleHash}'${brandHash}`,
      ...(enhancement ? ["script-src 'self'", "connect-src 'self'"] : []),
      images,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  }

  render(page: Page): string {
    const { title, body, enhancement, isSplit, language, color } = page;
    const { code, direction } = language ?? english;
    return html`<!doctype html>
      <html lang="${code}" dir="${direction}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          ${refreshOf(page)}
          <link rel="icon" href="/assets/icon.svg" />
          <title>${title}</title>
          ${this.styleElement} ${color && trustedHtml(`<style>${brandStyle(color)}</style>`)} ${enhancement && this.moduleElements()}
        </head>
        <body>
          <main${isSplit && html` class="split"`}${enhancement && html` data-page="${JSON.stringify(enhancement)}"`}>
            ${body}
          </main>
          <footer>${language && languageMenu(language)}<p>Tollbridge</p></footer>
        </body>
      </html> `.text;
  }

  private moduleElements(): Html {
    const { file, imports } = this.module;
    return html`${imports.map((url) => html`<link rel="modulepreload" href="${url}" />`)}
      <script type="module" src="${file}"></script>`;
  }
}

const hashOf = (style: string): string => `sha256-${createHash('sha256').update(style).digest('base64')}`;

/** The module replaces the content itself: a reload would interrupt the payer. */
function refreshOf({ refreshSeconds, enhancement }: Page): Html | false {
  if (refreshSeconds === undefined) return false;
  const refresh = html`<meta http-equiv="refresh" content="${refreshSeconds}" />`;
  return enhancement ? html`<noscript>${refresh}</noscript>` : refresh;
}
