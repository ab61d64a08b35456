import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayUrl } from '../local/apps.mjs';
import { buildAll } from '../local/build-all.mjs';
import { defaultDirectory, Directory } from '../local/directory.mjs';
import { makePayment } from '../local/first-payment.mjs';
import { portNames } from '../local/local-sandbox.mjs';
import { ensurePasswords } from '../local/passwords.mjs';
import { choosePorts, freePort } from '../local/ports.mjs';
import { Problem } from '../local/problem.mjs';
import { ensureServers } from '../local/server-programs.mjs';
import { onStopSignal } from '../local/signals.mjs';
import { serverNames, startServers } from '../local/servers.mjs';
import { ImageSandbox } from './image-sandbox.mjs';
import { productionApps } from './production-apps.mjs';
import { canSeal } from './sealed-root.mjs';

/**
 * Starts apps from the content of their images and stops them.
 * @param {{ isProduction: boolean, print: (line: string) => void }} options with `isProduction` no sandbox app and no
 * chains
 * @returns {Promise<object>} measurements; rejects if an app does not become ready, exits, or has a
 * secret of another app
 */
export async function runImages({ isProduction, print }) {
  const isSealed = canSeal();
  if (!isSealed)
    print(
      'not root, or without the right to mount: apps run in the file system of this machine, as this user',
    );
  await buildAll(() => undefined);
  const sandbox = await imageSandbox({ isProduction, isSealed, print });
  const { directory } = sandbox.options;
  onStopSignal(
    () => sandbox.kill(),
    () => process.exit(130),
  );
  try {
    const seconds = await bringUp(sandbox, isProduction, print);
    const faults = sandbox.apps.flatMap((app) => sandbox.faultsOf(app));
    if (faults.length > 0) throw new Problem(faults.join('\n  '));
    return { isSealed, node: process.version, apps: sandbox.apps, seconds };
  } finally {
    await sandbox.stop();
    rmSync(directory.path, { recursive: true, force: true });
  }
}

/** @param {{ isProduction: boolean, isSealed: boolean, print: (line: string) => void }} options */
async function imageSandbox({ isProduction, isSealed, print }) {
  // Inside the checkout, because hard links only work within one file system.
  const directory = new Directory(mkdtempSync(join(new Directory(defaultDirectory).path, 'images-')));
  const programs = await ensureServers(() => undefined);
  const passwords = ensurePasswords(directory);
  const ports = await choosePorts(directory, portNames);
  const gatewayPort = await freePort(Object.values(ports));
  const options = { directory, programs, passwords, ports, gatewayPort, isOneProcess: false };
  const apps = isProduction ? productionApps : [...productionApps, 'sandbox'];
  return new ImageSandbox(options, { apps, isSealed, print });
}

/** @param {ImageSandbox} sandbox @param {boolean} isProduction @param {(line: string) => void} print */
async function bringUp(sandbox, isProduction, print) {
  /** @type {Record<string, number>} */
  const seconds = {};
  const step = async (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ work) => {
    const startedMs = performance.now();
    await work();
    seconds[name] = Number(((performance.now() - startedMs) / 1000).toFixed(1));
    print(`${name}: ${seconds[name]} s`);
  };
  const { directory } = sandbox.options;
  if (isProduction) {
    startServers(sandbox.supervisor, sandbox.options);
    writeFileSync(directory.file('chains.json'), '{"chains": []}');
  }
  await step('content', () => sandbox.assemble());
  await step('servers', () =>
    isProduction ? sandbox.supervisor.untilReady(serverNames) : sandbox.startServers(),
  );
  await sandbox.prepareDatabase();
  if (!isProduction) {
    await sandbox.startNodes();
    await step('contracts', () => sandbox.deployContracts());
  }
  await step('migrations', () => sandbox.migrate());
  await step('event streams', () => sandbox.provisionStreams());
  await step('apps ready', () => sandbox.startApps());
  if (!isProduction) await step('payment', () => makePayment(gatewayUrl(sandbox.options), print));
  return seconds;
}
