import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { payInstruction } from '../instructions';
import { addressToBytes } from '../keys';
import { addressOf, keyOf, LocalCluster, sol } from '../testing/local-cluster';
import { native } from '../testing/litesvm';
import { merchantAddress, nativeOrder } from '../testing/payments';
import { RpcNode } from '../testing/rpc-node';
import { deploySolanaPay, program } from './deploy';
import { runSolanaDeployCommand } from './deploy-command';
import { deploymentAddresses, readProgram } from './deployment';
import { SolanaNode } from './json-rpc';
import { codeHeader, programBytes } from './loader';

const deployer = addressOf('deployer');
const key = keyOf('deployer');
const { program: ADDRESS, code: CODE, buffer: BUFFER } = deploymentAddresses(deployer, program.codeHash);

let cluster: LocalCluster;
let rpc: RpcNode;
let node: SolanaNode;
beforeEach(async () => {
  cluster = new LocalCluster(LocalCluster.vmWithProgram());
  cluster.setAccount(deployer, { lamports: 10n * sol });
  rpc = await RpcNode.start(cluster);
  node = new SolanaNode(rpc.url, 1);
});
afterEach(() => rpc.stop());

const read = async () => readProgram(ADDRESS, await node.accounts([ADDRESS, CODE]), program.code);
const nextSlot = () => cluster.setSlot(cluster.vm.getClock().slot + 1n);

describe('deploySolanaPay', () => {
  it('deploys a working program without an authority that could change it', async () => {
    expect(await read()).toBeUndefined();
    expect(await deploySolanaPay(node, key)).toEqual({ address: ADDRESS, deployed: true });
    expect(await read()).toEqual({ isSameCode: true, upgradeAuthority: undefined });
    nextSlot();
    const { error } = cluster.send([payInstruction(ADDRESS, nativeOrder(), deployer)], key);
    expect(error).toBeUndefined();
    expect(cluster.lamports(merchantAddress)).toBe(970_000_000n);
  });

  it('spends only the rent of the program and the fee of each transaction', async () => {
    await deploySolanaPay(node, key);
    const rent = cluster.rent(codeHeader + program.code.length) + cluster.rent(programBytes);
    expect(cluster.lamports(deployer)).toBe(10n * sol - rent - BigInt(rpc.sent) * 5_000n);
    expect(cluster.account(BUFFER)).toBeUndefined();
  });

  it('finds the program of an earlier deployment and sends nothing', async () => {
    await deploySolanaPay(node, key);
    const sent = rpc.sent;
    expect(await deploySolanaPay(node, key)).toEqual({ address: ADDRESS, deployed: false });
    expect(rpc.sent).toBe(sent);
  });

  it('continues after any lost answer of the node', async () => {
    let answers = 0;
    rpc.beforeAnswer = () => {
      if (answers++ % 2 === 0) throw new Error('The connection is lost');
    };
    const attempts: string[] = [];
    for (let attempt = 0; attempt < 20; attempt++) {
      const result = await deploySolanaPay(node, key).catch((error: Error) => error.message);
      if (typeof result !== 'string') break;
      attempts.push(result);
    }
    expect(attempts.length).toBeGreaterThan(1);
    expect(new Set(attempts)).toEqual(
      new Set(['The Solana node did not answer sendTransaction. Run the command again.']),
    );
    expect(await read()).toEqual({ isSameCode: true, upgradeAuthority: undefined });
  });

  it('reports a transaction that no block includes, and continues later', async () => {
    rpc.isDropped = () => rpc.sent === 4;
    await expect(deploySolanaPay(node, key)).rejects.toThrow(
      /^No block includes transaction \w+\. Run the command again/,
    );
    expect(await deploySolanaPay(node, key)).toEqual({ address: ADDRESS, deployed: true });
  });

  it('deploys although third parties sent lamports to its addresses', async () => {
    for (const address of [ADDRESS, BUFFER]) cluster.setAccount(address, { lamports: 5n * sol });
    expect(await deploySolanaPay(node, key)).toEqual({ address: ADDRESS, deployed: true });
  });

  it('spends nothing when a third party has blocked the account of the code, which prevents deployment', async () => {
    cluster.setAccount(CODE, { lamports: 1_000_000n });
    await expect(deploySolanaPay(node, key)).rejects.toThrow(
      `${CODE} exists already. Deploy with another key.`,
    );
    expect(rpc.sent).toBe(0);
  });

  it('gives up an authority that an interrupted deployment left', async () => {
    await deploySolanaPay(node, key);
    setAuthority(deployer);
    expect(await read()).toEqual({ isSameCode: true, upgradeAuthority: deployer });
    expect(await deploySolanaPay(node, key)).toEqual({ address: ADDRESS, deployed: true });
    expect(await read()).toEqual({ isSameCode: true, upgradeAuthority: undefined });
  });

  it('rejects an authority of another account', async () => {
    await deploySolanaPay(node, key);
    setAuthority(addressOf('stranger'));
    await expect(deploySolanaPay(node, key)).rejects.toThrow('failed');
  });

  it.each([codeHeader, codeHeader + 500])('rejects different code at its address (byte %d)', async (at) => {
    await deploySolanaPay(node, key);
    change(CODE, at, Uint8Array.of(1));
    expect((await read())?.isSameCode).toBe(false);
    await expect(deploySolanaPay(node, key)).rejects.toThrow(`The program at ${ADDRESS} has another code`);
  });

  it('fails without funds', async () => {
    cluster.setAccount(deployer, { lamports: 1_000_000n });
    await expect(deploySolanaPay(node, key)).rejects.toThrow('failed');
  });

  it('hides the URL of the node and its token when the node is unreachable', async () => {
    const closed = new SolanaNode('http://127.0.0.1:9/secret-token');
    await expect(deploySolanaPay(closed, key)).rejects.toThrow(
      'The Solana node did not answer getMinimumBalanceForRentExemption. Run the command again.',
    );
  });
});

describe('readProgram', () => {
  it('rejects the account of another program as code', async () => {
    await deploySolanaPay(node, key);
    const accounts = new Map(await node.accounts([ADDRESS, CODE]));
    accounts.set(CODE, { ...accounts.get(CODE)!, owner: deployer });
    expect(readProgram(ADDRESS, accounts, program.code)).toBeUndefined();
    expect(readProgram(addressOf('other'), accounts, program.code)).toBeUndefined();
  });

  it('rejects a longer program as different code', async () => {
    await deploySolanaPay(node, key);
    const accounts = await node.accounts([ADDRESS, CODE]);
    expect(readProgram(ADDRESS, accounts, program.code.subarray(0, -8))?.isSameCode).toBe(false);
  });
});

describe('runSolanaDeployCommand', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tollbridge-key-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const keyFile = (content: unknown) => {
    const path = join(folder, 'key.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const pair = [...key, ...addressToBytes(deployer)];

  it('deploys with a key file of solana-keygen', async () => {
    const args = [rpc.url, '--key-file', keyFile(pair)];
    expect(await runSolanaDeployCommand(args, 1)).toBe(
      `Solana payment program deployed at ${ADDRESS}, without an upgrade authority`,
    );
    expect(await runSolanaDeployCommand(args, 1)).toContain(`was already at ${ADDRESS}`);
  });

  it('shows code, costs and address in a dry run, and needs neither key nor node', async () => {
    const text = await runSolanaDeployCommand(['--dry-run', '--deployer', deployer]);
    const rent = cluster.rent(codeHeader + program.code.length) + cluster.rent(programBytes);
    await deploySolanaPay(node, key);
    expect(text).toContain(program.codeHash);
    expect(text).toContain(`Address: ${ADDRESS}`);
    expect(text).toContain(`Transactions: ${rpc.sent}\n`);
    expect(text).toContain(`Lamports: ${rent} of rent, which stays, and ${rpc.sent * 5_000} of fees`);
  });

  it.each([
    [[]],
    [['http://127.0.0.1:9']],
    [['http://127.0.0.1:9', 'more', '--key-file', 'x']],
    [['--dry-run', '--deployer', 'none']],
    [['--key', 'secret']],
  ])('explains its usage for %p', async (args) => {
    await expect(runSolanaDeployCommand(args)).rejects.toThrow(/^Usage: /);
  });

  it.each([['no json'], [[1, 2, 3]], [[...key, ...key]], [[...pair.slice(0, 63), 256]], [{}]])(
    'rejects the key file %#',
    async (content) => {
      const run = runSolanaDeployCommand([rpc.url, '--key-file', keyFile(content)]);
      await expect(run).rejects.toThrow(/^The key file holds no key pair\./);
    },
  );
});

function setAuthority(authority: string): void {
  change(CODE, 12, Uint8Array.from([1, ...addressToBytes(authority)]));
}
function change(address: string, at: number, bytes: Uint8Array): void {
  const { owner, data, lamports } = cluster.account(address)!;
  const changed = Uint8Array.from(data);
  changed.set(bytes, at);
  cluster.vm.setAccount(
    addressToBytes(address),
    new native.Account(lamports, changed, addressToBytes(owner), false, 0n),
  );
}
