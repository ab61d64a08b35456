import { startAnvil, type Anvil } from '@tollbridge/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create2Factory } from './create2';
import { deployTollbridgePay, tollbridgePayAddress } from './deploy';
import { runDeployCommand } from './deploy-command';

const localChainId = 84532;
let anvil: Anvil;
let emptyState: unknown;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: localChainId });
});
beforeEach(async () => {
  emptyState = await anvil.send('evm_snapshot', []);
});
afterEach(async () => {
  await anvil.send('evm_revert', [emptyState]);
});
afterAll(() => anvil.stop());

describe('deployTollbridgePay', () => {
  it('deploys the contract once and then finds it', async () => {
    const first = await deployTollbridgePay(anvil.wallet(0));
    const second = await deployTollbridgePay(anvil.wallet(1));

    expect(first).toEqual({ address: tollbridgePayAddress, deployed: true });
    expect(second).toEqual({ address: tollbridgePayAddress, deployed: false });
    expect(await anvil.provider.getTransactionCount(anvil.wallet(1).address)).toBe(0);
  });

  it('succeeds for two concurrent deployers', async () => {
    const deployers = [anvil.wallet(0), anvil.wallet(1), anvil.wallet(2)];

    const results = await Promise.all(deployers.map(deployTollbridgePay));

    expect(results.filter(({ deployed }) => deployed)).toHaveLength(1);
    expect(new Set(results.map(({ address }) => address))).toEqual(new Set([tollbridgePayAddress]));
  });

  it('reports a chain without a CREATE2 factory', async () => {
    await anvil.send('anvil_setCode', [create2Factory, '0x']);

    await expect(deployTollbridgePay(anvil.wallet(0))).rejects.toThrow(
      `Chain ${localChainId} has no CREATE2 factory at ${create2Factory}`,
    );
  });

  it('rejects different code at the address', async () => {
    await anvil.send('anvil_setCode', [tollbridgePayAddress, '0x6001']);

    await expect(deployTollbridgePay(anvil.wallet(0))).rejects.toThrow('is not TollbridgePay');
  });

  it('reports why a deployment failed', async () => {
    const penniless = anvil.wallet(0);
    await anvil.send('anvil_setBalance', [penniless.address, '0x0']);

    await expect(deployTollbridgePay(penniless)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  });

  it('requires a provider', async () => {
    await expect(deployTollbridgePay(anvil.wallet(0).connect(null))).rejects.toThrow('needs a provider');
  });
});

describe('scripts/deploy.mjs', () => {
  it('deploys idempotently with the key from the environment', async () => {
    const env = { DEPLOYER_PRIVATE_KEY: anvil.wallet(0).privateKey };

    const first = await runDeployCommand([anvil.url], env);
    const second = await runDeployCommand([anvil.url], env);

    expect(first).toBe(`TollbridgePay deployed at ${tollbridgePayAddress} on chain ${localChainId}`);
    expect(second).toBe(`TollbridgePay was already at ${tollbridgePayAddress} on chain ${localChainId}`);
  });

  it('reads the key from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollbridge-deploy-'));
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, `${anvil.wallet(0).privateKey}\n`, { mode: 0o600 });

    const line = await runDeployCommand([anvil.url, '--key-file', keyFile], {});
    rmSync(folder, { recursive: true });

    expect(line).toContain('deployed at');
  });

  it.each([
    ['no URL', [], { DEPLOYER_PRIVATE_KEY: '0xc0ffee' }],
    ['no key', ['http://127.0.0.1:1'], {}],
    ['a key as an argument', ['http://127.0.0.1:1', '0xc0ffee'], { DEPLOYER_PRIVATE_KEY: '0xc0ffee' }],
    ['an unknown option', ['http://127.0.0.1:1', '--private-key=0xc0ffee'], {}],
  ])('prints its usage for %s, without repeating the argument', async (_, args, env) => {
    const failure = await runDeployCommand(args, env).catch((error: Error) => error.message);

    expect(failure).toMatch(/^Usage: node scripts\/deploy\.mjs/);
    expect(failure).not.toContain('c0ffee');
  });

  it('does not repeat a malformed key', async () => {
    const failure = await runDeployCommand([anvil.url], { DEPLOYER_PRIVATE_KEY: '0xc0ffee' }).catch(String);

    expect(failure).toBe('Error: The private key is not 32 bytes in hex');
  });

  it('fails immediately when the node is unreachable', async () => {
    const env = { DEPLOYER_PRIVATE_KEY: anvil.wallet(0).privateKey };

    await expect(runDeployCommand(['http://127.0.0.1:1'], env)).rejects.toThrow('ECONNREFUSED');
  });

  it('hides the URL, which can contain an access token', async () => {
    const env = { DEPLOYER_PRIVATE_KEY: anvil.wallet(0).privateKey };
    const node = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
    await once(node, 'listening');
    const { port } = node.address() as AddressInfo;

    const failure = await runDeployCommand([`http://127.0.0.1:${port}/access-token`], env).catch(String);
    node.close();

    expect(failure).toContain('401');
    expect(failure).not.toContain('access-token');
  });
});
