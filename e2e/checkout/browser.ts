import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems, watch } from '../browser';
import { expectLooksApproved } from '../screenshots';

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

  /** Expects it to look as approved (`../screenshots`). */
  screenshot(name: string): Promise<void> {
    return expectLooksApproved(this.page, name);
  }

  accessibilityProblems(): Promise<string[]> {
    return accessibilityProblems(this.page);
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.problems).toEqual([]);
  }
}
