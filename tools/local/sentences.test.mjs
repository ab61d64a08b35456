import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import { checkNodeVersion, oldestNode } from './node-version.mjs';
import { configurationFor } from './nats.mjs';
import { describeError, Problem } from './problem.mjs';
import { readStartOptions } from './start-options.mjs';

describe('the version of Node', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.21.0']) {
    it(`accepts ${version}`, () => assert.doesNotThrow(() => checkNodeVersion(version)));
  }
  for (const version of ['18.20.0', '20.18.9', '9.0.0']) {
    it(`rejects ${version} and names the version to install`, () =>
      assert.throws(() => checkNodeVersion(version), /needs 20\.19 or newer\. Install/));
  }
});

describe('package.json', () => {
  it('requires the same version of Node.js as the check at the start', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.equal(engines.node, `>=${oldestNode.join('.')}`);
  });
});

describe('the configuration of NATS', () => {
  for (const [version, file] of [
    ['2.9.10', 'server-2.9.conf'],
    ['2.10.0', 'server.conf'],
    ['2.11.3', 'server.conf'],
    ['3.0.0', 'server.conf'],
  ]) {
    it(`uses ${file} for version ${version}`, () => assert.equal(configurationFor(version), file));
  }
});

describe('an error', () => {
  it('describes a full disk', () => {
    assert.match(
      describeError(Object.assign(new Error('write'), { code: 'ENOSPC' })),
      /^The disk is full\. /,
    );
  });

  it('names the file in a permission error', () => {
    assert.match(
      describeError(Object.assign(new Error('open'), { code: 'EACCES', path: '/x/y' })),
      /\/x\/y: it belongs/,
    );
  });

  it('shows a Problem without a stack', () => {
    assert.equal(
      describeError(new Problem('Do this.', { details: 'line 1\nline 2' })),
      'Do this.\n\n    line 1\n    line 2',
    );
  });

  it('shows an unexpected error with its stack', () =>
    assert.match(describeError(new Error('boom')), /boom\n +at /));
});

describe('the options of npm start', () => {
  it('returns the defaults without arguments', () => {
    const { isFresh, isOneProcess, pays, wantsHelp } = readStartOptions([]);
    assert.deepEqual([isFresh, isOneProcess, pays, wantsHelp], [false, true, true, false]);
  });

  it('reads every option', () => {
    const options = readStartOptions(['--fresh', '--processes', '--no-payment', '--directory', '/somewhere']);
    assert.deepEqual(
      [options.isFresh, options.isOneProcess, options.pays, options.directory],
      [true, false, false, '/somewhere'],
    );
  });

  for (const wrong of [['--frehs'], ['now'], ['--directory']]) {
    it(`${wrong} prints the usage`, () => assert.throws(() => readStartOptions(wrong), /Usage: npm start/));
  }
});
