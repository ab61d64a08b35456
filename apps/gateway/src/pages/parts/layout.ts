import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { GatewayConfig } from '../../config';
import { sendCompressed } from '../../documents/compressed-text';
import { varyBy } from '../../http/vary';
import { WebFiles } from '../../web/web-files';
import { brandStyle } from './brand';
import { html, trustedHtml, type Html } from './html';
import { languageMenu } from './language-menu';
import {
  remoteSources,
  remoteWalletsOf,
  type RemoteWallets,
  type RemoteWalletSettings,
} from '../wallets/remote-wallets';
import type { Language } from '../texts/language';
import { english } from '../texts/languages';

export interface Page {
  title: string;
  body: Html;
  /** The interval in seconds between reloads in a browser without scripts. */
  refreshSeconds?: number;
  /** Data for the checkout script, which updates the page live. Without it, the page has no script. */
  enhancement?: object;
  /** Whether summary and payment are next to each other on wide screens. */
  isSplit?: boolean;
  /** The colour of the shop, as `#rrggbb`. */
  color?: string | null;
  /** The language of the page. Without it, the page exists in English only. */
  language?: Language;
  /** Origins of pages that may embed this page in a frame or reference its window; none by default. */
  frameOrigins?: readonly string[];
}

// Each cached style is about a kilobyte.
const mostBrands = 1_000;

/** An inline style sheet, and its source in the policy. */
interface InlineStyle {
  element: Html;
  source: string;
}

type PolicyTerms = Pick<Page, 'color' | 'enhancement' | 'frameOrigins'>;

/** Renders pages with the style of `apps/web`, and with its checkout script if the page has data for it. */
@Injectable()
export class PageRenderer {
  private readonly style: InlineStyle;
  private readonly brands = new LRUCache<string, InlineStyle>({ max: mostBrands });
  private readonly moduleElement: Html;
  /** Wallets on other devices, for pages that list them. */
  readonly remote: RemoteWallets;
  private readonly isTest: boolean;

  constructor(
    files: WebFiles,
    @Inject(ServiceConfig) config: RemoteWalletSettings & Pick<GatewayConfig, 'environment'>,
  ) {
    this.isTest = config.environment !== 'production';
    this.remote = remoteWalletsOf(config);
    // The style is inline, so that a page needs only one request. The policy contains its hash, so browsers apply no
    // other style.
    this.style = inlineStyle(files.pageStyle());
    this.moduleElement = moduleElement(files);
  }

  send(reply: FastifyReply, status: number, page: Page): Promise<FastifyReply> {
    if (page.language) varyBy(reply, 'Accept-Language');
    // Browsers apply this header before the policy, and it cannot contain origins.
    if (page.frameOrigins) void reply.removeHeader('x-frame-options');
    void reply
      .status(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', this.policyOf(page))
      .header('cross-origin-opener-policy', openerPolicy(page));
    return sendCompressed(reply, this.render(page));
  }

  /** The content security policy of a page: no inline script and no request to another site. */
  policyOf({ color, enhancement, frameOrigins }: PolicyTerms): string {
    // Wallets publish their icons as data: URLs.
    const images = `img-src 'self'${enhancement ? ' data:' : ''}`;
    return [
      "default-src 'none'",
      ['style-src', ...this.stylesOf(color).map(({ source }) => source)].join(' '),
      ...(enhancement
        ? ["script-src 'self'", ["connect-src 'self'", ...remoteSources(this.remote)].join(' ')]
        : []),
      images,
      "form-action 'self'",
      "base-uri 'none'",
      `frame-ancestors ${frameOrigins?.join(' ') ?? "'none'"}`,
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
          ${this.stylesOf(color).map(({ element }) => element)} ${enhancement && this.moduleElement}
        </head>
        <body>
          ${this.isTest && language && html`<header class="test-mode">${language.text('testMode')}</header>`}
          <main${isSplit && html` class="split"`}${enhancement && html` data-page="${JSON.stringify({ ...enhancement, remote: this.remote })}"`}>
            ${body}
          </main>
          <footer>${language && languageMenu(language)}<p>Tollbridge</p></footer>
        </body>
      </html> `.text;
  }

  /** The style of all pages, and the style of the shop's colour. */
  private stylesOf(color: string | null | undefined): InlineStyle[] {
    if (!color) return [this.style];
    let brand = this.brands.get(color);
    if (!brand) this.brands.set(color, (brand = inlineStyle(brandStyle(color))));
    return [this.style, brand];
  }
}

/** A small script that loads the module after the page is painted. */
function moduleElement(files: WebFiles): Html {
  const { file, imports } = files.entry('checkout');
  const modules = [file, ...imports].join(' ');
  return html`<script
    type="module"
    async
    fetchpriority="low"
    src="${files.entry('load').file}"
    data-modules="${modules}"
  ></script>`;
}

/** Wallets may sign in a window of their own. A shop that opened this page in a window waits for its messages. */
function openerPolicy({ enhancement, frameOrigins }: Page): string {
  if (frameOrigins) return 'unsafe-none';
  return enhancement ? 'same-origin-allow-popups' : 'same-origin';
}

function inlineStyle(style: string): InlineStyle {
  const hash = createHash('sha256').update(style).digest('base64');
  return { element: trustedHtml(`<style>${style}</style>`), source: `'sha256-${hash}'` };
}

/** The script replaces the content itself, and a reload would interrupt the payer. */
function refreshOf({ refreshSeconds, enhancement }: Page): Html | false {
  if (refreshSeconds === undefined) return false;
  const refresh = html`<meta http-equiv="refresh" content="${refreshSeconds}" />`;
  return enhancement ? html`<noscript>${refresh}</noscript>` : refresh;
}
