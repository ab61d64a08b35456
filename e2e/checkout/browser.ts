import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems, pageTimeoutMs, watch } from '../browser';
import { expectLooksApproved } from '../screenshots';

export interface PhoneOptions {
  scheme?: 'light' | 'dark';
  width?: number;
  hasScript?: boolean;
  /** Expected status of the page, if the case causes an error. */
  status?: number;
  /** Part of a console error that the case causes. */
  fault?: string;
}

// Upper limit of the number of controls on a page.
const mostTabs = 60;

// Buttons change their colour gradually, and axe would measure an intermediate colour. A page that draws no frames
// finishes no transition.
const endTransitions = `for (const animation of document.getAnimations())
  if (animation instanceof CSSTransition) animation.finish()`;

/** A page of a payer with a fresh profile. Records forbidden events. */
export class PayerPage {
  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly problems: readonly string[],
  ) {}

  static async open(browser: Browser, origin: string, options: PhoneOptions = {}): Promise<PayerPage> {
    const { scheme = 'light', width = 390, hasScript = true, status, fault } = options;
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      colorScheme: scheme,
      javaScriptEnabled: hasScript,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(pageTimeoutMs);
    const isExpected = (text: string) =>
      text.includes(`status of ${status} `) || (fault !== undefined && text.includes(fault));
    const problems = watch(context, origin, { isExpected });
    return new PayerPage(context, await context.newPage(), problems);
  }

  /** Compares the page with the approved screenshot (`../screenshots`). */
  screenshot(name: string): Promise<void> {
    return expectLooksApproved(this.page, name);
  }

  accessibilityProblems(): Promise<string[]> {
    return accessibilityProblems(this.page);
  }

  /** Tests both themes, and the page at 200 %: half the width of a small laptop. */
  async expectAccessible(): Promise<void> {
    const before = this.page.viewportSize()!;
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.evaluate(endTransitions);
      expect([colorScheme, await this.accessibilityProblems()]).toEqual([colorScheme, []]);
    }
    await this.page.setViewportSize({ width: 640, height: before.height });
    expect(await this.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await this.page.setViewportSize(before);
  }

  /** Moves the focus to an element by keyboard, and presses Enter. */
  async press(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor();
    const focused = this.page.locator(`${selector}:focus`);
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      if ((await focused.count()) > 0) {
        await this.page.keyboard.press('Enter');
        return;
      }
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`The keyboard does not reach ${selector}.`);
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.problems).toEqual([]);
  }
}
