import axe from 'axe-core';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { repository } from '../harness';

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real Chromium, installed where it is missing. */
export function openChromium(): Promise<Browser> {
  const program = `import('./tools/local/server-programs.mjs')
    .then(({ ensurePrograms }) => ensurePrograms(['chromium'], () => undefined))
    .then(([path]) => process.stdout.write(path));`;
  const executablePath = execFileSync(process.execPath, ['-e', program], {
    cwd: repository,
    encoding: 'utf8',
  });
  return chromium.launch({ executablePath, args: flags });
}

export interface PhoneOptions {
  scheme?: 'light' | 'dark';
  width?: number;
  hasScript?: boolean;
}

/** A page of a payer with a fresh profile. Collects what must not happen on it. */
export class PayerPage {
  readonly problems: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly origin: string,
  ) {}

  static async open(browser: Browser, origin: string, options: PhoneOptions = {}): Promise<PayerPage> {
    const { scheme = 'light', width = 390, hasScript = true } = options;
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      colorScheme: scheme,
      javaScriptEnabled: hasScript,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const it = new PayerPage(context, await context.newPage(), origin);
    it.watch();
    return it;
  }

  /** Shows what differs from the page that a stranger sees, as an artefact of the test. */
  async screenshot(name: string): Promise<void> {
    const folder = join(repository, 'node_modules/.tollbridge-screenshots');
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  /** Violations of WCAG 2.2 AA, as axe finds them. */
  async accessibilityProblems(): Promise<string[]> {
    // The debugger's evaluation is not subject to the policy of the page.
    await this.page.evaluate(axe.source);
    const run = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;
    const { violations } = (await this.page.evaluate(run)) as axe.AxeResults;
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.problems).toEqual([]);
  }

  /** Violations of the policy are errors on the console too. */
  private watch(): void {
    const { page, problems, origin } = this;
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) problems.push(`request to ${url}`);
    });
  }
}
