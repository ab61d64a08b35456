import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppConfig } from '../doctor/config-readers';
import { runTollbridge } from '../run';
import type { Terminal } from '../terminal';

/** A terminal for tests: an empty home folder, output in memory, and prepared answers. */
export class FakeTerminal implements Terminal {
  readonly outLines: string[] = [];
  readonly noteLines: string[] = [];
  readonly answers: string[] = [];
  readonly controller = new AbortController();
  readonly env: Record<string, string | undefined>;
  input = '';
  isInteractive = false;

  constructor(env: Record<string, string> = {}) {
    this.env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'tollbridge-cli-')), ...env };
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get stdout(): string {
    return this.outLines.join('\n');
  }

  get stderr(): string {
    return this.noteLines.join('\n');
  }

  readonly out = (line: string): void => void this.outLines.push(line);
  readonly note = (line: string): void => void this.noteLines.push(line);

  async ask(question: string): Promise<string> {
    this.note(question);
    return this.answers.shift() ?? '';
  }

  /** Waits for a hundredth of the time. */
  sleep(ms: number): Promise<void> {
    return sleep(ms / 100, undefined, { signal: this.signal }).catch(() => undefined);
  }

  async readInput(): Promise<string> {
    return this.input;
  }

  readonly loadAppConfig = async (): Promise<AppConfig> => ({ settings: {}, readConfig: () => undefined });

  /** Runs a command line. Quoted words are kept together. Resolves to the exit code. */
  run(line: string): Promise<number> {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
    return runTollbridge(words, this);
  }
}
