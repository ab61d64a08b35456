import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { repository } from '../local/directory.mjs';
import { ensurePrograms } from '../local/server-programs.mjs';
import { descriptionFile } from '../sdk/generated-sources.mjs';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-cli-'));
const program = join(folder, 'package/tollbridge.js');
const env = { PATH: process.env.PATH, HOME: folder };
const tollbridge = (...words) => run(process.execPath, [program, ...words], { env, cwd: folder });

before(async () => {
  const { stdout } = await run(process.execPath, [join(repository, 'tools/pack-cli.mjs'), folder]);
  await run('tar', ['-xzf', stdout.trim(), '-C', folder]);
});
after(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  it('contains one program without dependencies, and the licences of the code in the program', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    assert.deepEqual(
      [manifest.name, manifest.dependencies, manifest.peerDependencies, manifest.bin],
      ['tollbridge', undefined, undefined, { tollbridge: 'tollbridge.js' }],
    );
    const files = ['LICENSE', 'LICENSES-OF-PACKAGES.txt', 'README.md', 'package.json', 'tollbridge.js'];
    assert.deepEqual(readdirSync(join(folder, 'package')).sort(), files);
    assert.notEqual(statSync(program).mode & 0o111, 0);
    const licences = readFileSync(join(folder, 'package/LICENSES-OF-PACKAGES.txt'), 'utf8');
    const named = [...licences.matchAll(/^(\S+) \S+ \((.+)\)$/gm)];
    const packages = ['viem', '@solana/kit', '@x402/svm', '@ton/core', '@mysten/sui'];
    assert.deepEqual(
      packages.filter((wanted) => !named.some(([, name]) => name === wanted)),
      [],
    );
    for (const [, name, licence] of named)
      assert.match(licence, /^(MIT|Apache-2\.0|BSD-[23]-Clause|ISC|Unlicense|BlueOak-1\.0\.0)$/, name);
  });

  it('stays below 1.3 megabytes, including signers for five chain families and the parsers of the apps', () => {
    assert.ok(statSync(program).size < 1_300_000, `${statSync(program).size} bytes`);
  });

  it('runs alone, and has a command for every operation', async () => {
    const { stdout } = await tollbridge('--help');
    assert.match(stdout, /tollbridge login --sandbox/);
    const { operations } = JSON.parse(readFileSync(join(repository, descriptionFile), 'utf8'));
    const ids = Object.keys(operations);
    assert.ok(ids.length > 100);
    const groups = stdout.match(/^ {2}[a-z-]+(?= {2,}\S)/gm).map((line) => line.trim());
    const listed = await Promise.all(groups.map((group) => tollbridge('__complete', group, '')));
    const names = listed.flatMap(({ stdout: lines }) => lines.split('\n'));
    const missing = ids.filter((id) => !names.some((each) => each.replaceAll('-', '') === id.toLowerCase()));
    assert.deepEqual(missing, []);
  });

  it('reports every setting that an app would reject', async () => {
    const file = join(folder, 'gateway.env');
    writeFileSync(
      file,
      'TOLLBRIDGE_ENV=production\nGATEWAY_IDENTITY_SECRET=short\nGATEWAY_PUBLIC_URL=ftp://x\n',
      {
        mode: 0o600,
      },
    );
    const apps = readdirSync(join(repository, 'apps')).filter(
      (name) => name !== 'sandbox' && existsSync(join(repository, 'apps', name, 'src/config.ts')),
    );
    assert.ok(apps.length >= 8);
    for (const app of apps) {
      const failure = await tollbridge('doctor', '--json', '--env-file', file, '--app', app).catch(
        (it) => it,
      );
      assert.equal(failure.code, 1, failure.stderr);
      const failed = JSON.parse(failure.stdout).filter(({ result }) => result === 'fail');
      assert.ok(
        failed.some(({ detail }) => /^is missing /.test(detail)),
        app,
      );
      if (app !== 'gateway') continue;
      const details = Object.fromEntries(failed.map(({ check, detail }) => [check, detail]));
      assert.match(details['gateway GATEWAY_IDENTITY_SECRET'], /must have at least 32 characters/);
      assert.match(details['gateway GATEWAY_PUBLIC_URL'], /must be a URL with http or https/);
      assert.doesNotMatch(failure.stdout, /ftp:\/\/x/);
    }
  });

  it('starts in less than 150 ms', () => {
    const timeOf = (...args) => {
      const script = 'TIMEFORMAT="%U"; time "$0" "$@" > /dev/null';
      const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, ...args], {
        env,
        encoding: 'utf8',
      });
      assert.equal(status, 0);
      return Number(stderr.trim()) * 1_000;
    };
    // Measures the processor time of the program, and the least of several runs, because this machine also does other
    // work. Compares with Node.js alone, because some machines are slow. The program takes 1.7 to 1.9 times as long.
    const pairs = Array.from({ length: 9 }, () => [
      timeOf(program, 'completion', 'bash'),
      timeOf('--eval', '0'),
    ]);
    const [ofProgram, ofNode] = [0, 1].map((place) => Math.min(...pairs.map((pair) => pair[place])));
    const limit = Math.max(150, 2.5 * ofNode);
    assert.ok(ofProgram < limit, `${ofProgram} ms, and Node.js alone ${ofNode} ms`);
  });
});

describe('completion', () => {
  const words = ['tollbridge', 'orders', 'create-o'];
  // The scripts call the program by its name.
  const withProgram = { ...env, PATH: `${folder}/bin:${process.env.PATH}` };
  before(async () => {
    await ensurePrograms(['zsh', 'fish'], () => undefined);
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/tollbridge'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, {
      mode: 0o755,
    });
  });
  const completed = (shell, script) => {
    const { stdout, stderr } = spawnSync(shell, ['-c', script], { env: withProgram, encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.trim();
  };

  it('completes in bash', () => {
    const script = `source <(tollbridge completion bash)
      COMP_WORDS=(${words.join(' ')}); COMP_CWORD=2
      _tollbridge; echo "\${COMPREPLY[@]}"`;
    assert.equal(completed('bash', script), 'create-order');
  });

  it('completes in zsh', () => {
    // Prints the words that the completion offers, because a terminal is not available for key presses.
    const script = `autoload -Uz compinit; compinit -u -d ${folder}/zcompdump
      source <(tollbridge completion zsh)
      (( \${+_comps[tollbridge]} )) || echo 'not registered'
      compadd() { shift; print -l -- "$@" }
      words=(${words.join(' ')}); CURRENT=3
      _tollbridge`;
    assert.equal(completed('zsh', script), 'create-order');
  });

  it('completes in fish', () => {
    const script = `tollbridge completion fish | source; complete -C '${words.join(' ')}'`;
    assert.equal(completed('fish', script), 'create-order');
  });
});
