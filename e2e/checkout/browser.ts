import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems, watch } from '../browser';
import { repository } from '../harness';

export interface PhoneOptions {
  scheme?: 'light' | 'dark';
  width?: number;
  hasScript?: boolean;
}

/** A page of a payer with a fresh profile. Collects what must not happen on it. */
export class PayerPage {
  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly problems: readonly string[],
  ) {}

  static async open(browser: Browser, origin: string, options: PhoneOptions = {}): Promise<PayerPage> {
    const { scheme = 'light', width = 390, hasScript = true } = options;
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      colorScheme: scheme,
      javaScriptEnabled: hasScript,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const problems = watch(context, origin);
    return new PayerPage(context, await context.newPage(), problems);
  }

  /** Shows what differs from the page that a stranger sees, as an artefact of the test. */
  async screenshot(name: string): Promise<void> {
    const folder = join(repository, 'node_modules/.tollbridge-screenshots');
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  accessibilityProblems(): Promise<string[]> {
    return accessibilityProblems(this.page);
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.problems).toEqual([]);
  }
}
