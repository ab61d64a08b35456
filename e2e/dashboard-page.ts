import { eventually } from '@tollbridge/testing';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { accessibilityProblems, pageTimeoutMs, watch } from './browser';

// Failures that the cases cause: no session yet, and values that the API rejects.
const expected = [
  [401, '/dashboard/session'],
  [400, '/api/settings'],
  [400, '/api/paylinks'],
] as const;

/** One page of the dashboard in its own browser context. */
export class DashboardPage {
  private constructor(
    readonly gateway: string,
    readonly context: BrowserContext,
    readonly page: Page,
    /** Errors, violations of the policy, and requests to other hosts. */
    readonly faults: readonly string[],
  ) {}

  static async open(
    browser: Browser,
    gateway: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<DashboardPage> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(pageTimeoutMs);
    const isExpected = (text: string, url: string) =>
      expected.some(([status, path]) => text.includes(`status of ${status} `) && url === gateway + path);
    const faults = watch(context, gateway, { isExpected, localSchemes: ['data', 'blob'] });
    return new DashboardPage(gateway, context, await context.newPage(), faults);
  }

  goto(path = ''): Promise<unknown> {
    return this.page.goto(`${this.gateway}/dashboard${path}`);
  }

  /** Opens a page with its link in the navigation. */
  visit(title: string): Promise<void> {
    return this.page.getByRole('link', { name: title, exact: true }).click();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Waits for a text. A failure shows the content of the page. */
  async shows(text: string | RegExp): Promise<void> {
    const { page, faults } = this;
    await page
      .getByText(text)
      .first()
      .waitFor()
      .catch(async ({ message }: Error) => {
        const shown = await page.locator('body').innerText();
        throw new Error([message, page.url(), ...faults, shown].join('\n'));
      });
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  inDialog(name: string): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name, exact: true });
  }

  /** Waits until a page shows its data. */
  async loaded(title: string): Promise<void> {
    await this.heading(title).waitFor();
    // A page can look idle before the data arrives if the machine stalls.
    const loading = this.page.getByRole('status', { name: 'Loading', exact: true });
    await eventually(async () => expect(await loading.count()).toBe(0));
    await this.page.waitForLoadState('networkidle');
  }

  /** Reads a secret that the page shows once. */
  async shownSecret(): Promise<string> {
    return (await this.page.getByLabel('Secret', { exact: true }).textContent())!.trim();
  }

  async signInAsDemo(): Promise<void> {
    await this.goto();
    await this.button('Sign in as the demo merchant').click();
    await this.heading('Overview').waitFor();
  }

  /** The session token, which only the browser and the gateway have. */
  async sessionToken(): Promise<string> {
    const cookies = await this.context.cookies();
    const cookie = cookies.find(({ name }) => name === 'tollbridge_session')!;
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await this.page.evaluate('document.cookie')).toBe('');
    return cookie.value;
  }

  violations(): Promise<string[]> {
    return accessibilityProblems(this.page);
  }
}
