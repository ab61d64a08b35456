import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxSecretBytes } from './secret-files';
import { loadConfig, text, UnusableValue } from './settings';

const settings = {
  SHOP_PEPPER: text({
    description: 'the pepper',
    example: 'example-pepper',
    sandboxDefault: 'sandbox-pepper',
    minLength: 8,
    isSecret: true,
  }),
  SHOP_NAME: text({ description: 'the name', example: 'Shop', default: 'none' }),
};
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  file = join(folder, 'pepper');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (env: NodeJS.ProcessEnv, environment = 'production') =>
  loadConfig(settings, { TOLLBRIDGE_ENV: environment, ...env });
const fromFile = (content: string | Buffer, environment?: string) => {
  writeFileSync(file, content);
  return load({ SHOP_PEPPER_FILE: file }, environment).SHOP_PEPPER;
};
const problemOf = (work: () => unknown): string => {
  try {
    return `no problem: ${JSON.stringify(work())}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a secret setting with NAME_FILE', () => {
  it.each([
    ['a-secret-value', 'a-secret-value'],
    ['a-secret-value\n', 'a-secret-value'],
    ['a-secret-value\r\n', 'a-secret-value'],
    ['a-secret-value\n\n', 'a-secret-value\n'],
    [' a-secret-value ', ' a-secret-value '],
    ['geheimnis-äöü', 'geheimnis-äöü'],
  ])('reads %j and drops one newline at its end', (content, value) => {
    expect(fromFile(content)).toBe(value);
  });

  it('follows symbolic links, which Kubernetes uses for mounted secrets', () => {
    mkdirSync(join(folder, '..2026_11_24'));
    writeFileSync(join(folder, '..2026_11_24', 'pepper'), 'a-secret-value');
    symlinkSync('..2026_11_24', join(folder, '..data'));
    symlinkSync(join('..data', 'pepper'), file);
    expect(load({ SHOP_PEPPER_FILE: file }).SHOP_PEPPER).toBe('a-secret-value');
  });

  it('rejects a secret that is set by both variables, and accepts it if one of them is empty', () => {
    writeFileSync(file, 'a-secret-value');
    const both = { SHOP_PEPPER: 'other-secret', SHOP_PEPPER_FILE: file };
    const problem = problemOf(() => load(both));
    expect(problem).toContain('SHOP_PEPPER and SHOP_PEPPER_FILE are both set');
    expect(problem).not.toMatch(/a-secret-value|other-secret/);
    expect(load({ ...both, SHOP_PEPPER: '' }).SHOP_PEPPER).toBe('a-secret-value');
    expect(load({ ...both, SHOP_PEPPER_FILE: '' }).SHOP_PEPPER).toBe('other-secret');
  });

  it.each([
    ['missing', () => join(folder, 'none'), 'ENOENT'],
    ['a folder', () => folder, 'is not a file'],
    ['empty', () => (writeFileSync(file, ''), file), 'is empty'],
    ['one newline', () => (writeFileSync(file, '\n'), file), 'is empty'],
    ['too large', () => (writeFileSync(file, 'x'.repeat(maxSecretBytes + 1)), file), 'is larger than 64 KiB'],
    ['binary', () => (writeFileSync(file, Buffer.from([0xff, 0xfe, 1, 2])), file), 'is not text in UTF-8'],
    ['text with a null', () => (writeFileSync(file, 'secret\0value'), file), 'is not text in UTF-8'],
    ['a named pipe', () => (execFileSync('mkfifo', [file]), file), 'is not a file'],
  ])('reports the variable and path of a file that is %s', (_name, prepare, reason) => {
    const path = prepare();
    expect(problemOf(() => load({ SHOP_PEPPER_FILE: path }))).toContain(
      `SHOP_PEPPER cannot be read from SHOP_PEPPER_FILE: ${path}`,
    );
    expect(problemOf(() => load({ SHOP_PEPPER_FILE: path }))).toContain(reason);
  });

  it('reads a file of the maximum size', () => {
    expect(fromFile('x'.repeat(maxSecretBytes))).toHaveLength(maxSecretBytes);
  });

  it.each(['example-pepper', 'sandbox-pepper', 'example-pepper\n', 'new-secret,sandbox-pepper'])(
    'rejects the public value %j outside of the sandbox',
    (content) => {
      for (const environment of ['test', 'production'])
        expect(problemOf(() => fromFile(content, environment))).toContain(
          'SHOP_PEPPER must not be a value from the examples',
        );
      expect(fromFile(content, 'sandbox')).toBe(content.trim());
    },
  );

  it('validates the value, without a part of it in the error', () => {
    const problem = problemOf(() => fromFile('short'));
    expect(problem).toContain('SHOP_PEPPER must have at least 8 characters');
    expect(problem).not.toContain('short');
  });

  it('does not read files for settings that are not secret', () => {
    const env = { SHOP_PEPPER: 'a-secret-value', SHOP_NAME_FILE: join(folder, 'none') };
    expect(load(env).SHOP_NAME).toBe('none');
  });

  it('omits the content from the error when a reader fails', () => {
    const careless = { SHOP_KEYS: { ...settings.SHOP_PEPPER, read: (value: string) => JSON.parse(value) } };
    writeFileSync(file, 'hunter2');
    const env = { TOLLBRIDGE_ENV: 'sandbox', SHOP_KEYS_FILE: file };
    expect(problemOf(() => loadConfig(careless, env))).not.toContain('hunter2');
    expect(new UnusableValue('x')).toBeInstanceOf(Error);
  });
});
