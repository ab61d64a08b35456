import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityProblems, pageTimeoutMs, watch } from '../browser';
import { expectLooksApproved } from '../screenshots';

export interface PhoneOptions {
  scheme?: 'light' | 'dark';
  width?: number;
  hasScript?: boolean;
  /** Expected status of the page, when it is an error that the case causes. */
  status?: number;
  /** Part of an error on the console that the case causes. */
  fault?: string;
}

// More than a page has controls.
const mostTabs = 60;

// Buttons change their colour gradually, and axe would measure one on the way. A page that draws no frames ends none by
// itself.
const endTransitions = `for (const animation of document.getAnimations())
  if (animation instanceof CSSTransition) animation.finish()`;

/** A page of a payer with a fresh profile. Collects what must not happen on it. */
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

  /** Expects it to look as approved (`../screenshots`). */
  screenshot(name: string): Promise<void> {
    return expectLooksApproved(this.page, name);
  }

  accessibilityProblems(): Promise<string[]> {
    return accessibilityProblems(this.page);
  }

  /** In both themes, and with the page at 200 %: half as wide as a small laptop. */
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

  /** Moves the focus by the keyboard to an element, and presses Enter. */
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
