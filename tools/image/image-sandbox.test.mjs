import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Directory } from '../local/directory.mjs';
import { ensurePasswords } from '../local/passwords.mjs';
import { ImageSandbox } from './image-sandbox.mjs';

const directory = new Directory(mkdtempSync(join(tmpdir(), 'tollbridge-image-sandbox-')));
after(() => rmSync(directory.path, { recursive: true }));
const passwords = ensurePasswords(directory);
const children = [];
after(() => children.forEach((child) => child.kill()));

/** The faults that the check reports for an app with this environment and these files. */
function faultsWith(app, env, files = {}) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env });
  children.push(child);
  const config = directory.file('images', app, 'main/config');
  rmSync(config, { recursive: true, force: true });
  mkdirSync(config, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(config, name), text);
  const supervisor = { pids: { [app]: child.pid }, children: new Map() };
  return Object.assign(Object.create(ImageSandbox.prototype), {
    options: { directory, passwords },
    supervisor,
  }).faultsOf(app);
}

describe('ImageSandbox.faultsOf', () => {
  it('returns no fault for an app with only its own secrets, in files', () => {
    const files = {
      A: `nats://pay-orders:${passwords.nats['pay-orders']}@h`,
      B: passwords.postgres.pay_orders,
    };
    assert.deepEqual(faultsWith('pay-orders', {}, { ...files, C: passwords.redis }), []);
  });

  /** @type {[string, string, Record<string, string>, Record<string, string>, RegExp][]} */
  const cases = [
    [
      'the role of another app',
      'merchant',
      { A: `x${passwords.postgres.tee}y` },
      {},
      /environment of merchant .*tee$/,
    ],
    [
      'the owner of its schema',
      'tee',
      {},
      { A: passwords.postgres.tee_owner },
      /^tee can read .* tee-owner$/,
    ],
    [
      'the bus user of another',
      'stream',
      {},
      { A: passwords.nats.gateway },
      /^stream can read .* nats gateway$/,
    ],
    ['the identity of another', 'nanopay', { A: passwords.identities.tee }, {}, /identity tee$/],
    ['the pepper', 'gateway', {}, { A: passwords.keyPepper }, /^gateway can read .* pepper merchant$/],
    ['Redis', 'tee', {}, { A: passwords.redis }, /^tee can read .* redis gateway pay-orders$/],
  ];
  for (const [title, app, env, files, fault] of cases) {
    it(`reports ${title} in ${app}`, () => {
      const faults = faultsWith(app, env, files);
      assert.equal(faults.length, 1);
      assert.match(faults[0], fault);
    });
  }
});
