import { bcs } from '@mysten/sui/bcs';
import { verifyTransactionSignature } from '@mysten/sui/verify';
import { base58 } from '@scure/base';
import { deploySuiPay, verifySuiDeployment, type SuiRpc } from './deploy-sui';
import { runSuiDeployCommand } from './deploy-sui-command';
import { publishedSuiModule } from './sui-calls';
import { SuiSigner, suiTransactionDigest } from './sui-transaction';

const signer = new SuiSigner('22'.repeat(32));
const packageId = `0x${'ab'.repeat(32)}`;
const registryId = `0x${'cd'.repeat(32)}`;
const coin = {
  coinObjectId: `0x${'ef'.repeat(32)}`,
  version: '3',
  digest: base58.encode(new Uint8Array(32).fill(9)),
};
const published = { type: 'published', packageId };
const registry = {
  type: 'created',
  objectId: registryId,
  objectType: `${packageId}::pay::Registry`,
  owner: { Shared: { initial_shared_version: 17 } },
};

/** A fake node: answers every method that a deployment calls, and records the transactions. */
class FakeNode {
  readonly sent: { bytes: Uint8Array; signature: string }[] = [];
  status: { status: string; error?: string } = { status: 'success' };
  changes: object[] = [published, registry];
  modules: Record<string, string> = { pay: Buffer.from(publishedSuiModule(packageId)).toString('base64') };
  coins: object[] = [coin];

  readonly rpc: SuiRpc = async (method, params) => {
    const gasUsed = { computationCost: '1000000', storageCost: '19000000', storageRebate: '1' };
    const bytes = () => Uint8Array.from(Buffer.from(params[0] as string, 'base64'));
    switch (method) {
      case 'suix_getReferenceGasPrice':
        return '750';
      case 'suix_getCoins':
        return { data: this.coins };
      case 'sui_dryRunTransactionBlock':
        return { effects: { status: this.status, gasUsed } };
      case 'sui_executeTransactionBlock':
        this.sent.push({ bytes: bytes(), signature: (params[1] as string[])[0]! });
        return { digest: suiTransactionDigest(bytes()) };
      case 'sui_getTransactionBlock':
        return { effects: { status: this.status }, objectChanges: this.changes };
      case 'sui_getObject':
        return { data: { bcs: { moduleMap: this.modules } } };
      default:
        throw new Error(`unexpected ${method}`);
    }
  };
}

describe('deploySuiPay', () => {
  it('publishes with a budget of the dry run, and returns package and registry', async () => {
    const node = new FakeNode();
    const announced: string[] = [];
    const deployment = await deploySuiPay(node.rpc, signer, (digest) => announced.push(digest));
    const [{ bytes, signature }] = node.sent as [(typeof node.sent)[0]];
    expect(node.sent).toHaveLength(1);
    expect(announced).toEqual([suiTransactionDigest(bytes)]);
    expect(deployment).toEqual({ packageId, registryId, registryVersion: 17n, digest: announced[0] });
    const { sender, gasData, kind } = bcs.TransactionData.parse(bytes).V1!;
    expect(gasData).toMatchObject({ owner: sender, price: '750', budget: '24000000' });
    expect(gasData.payment).toEqual([{ objectId: coin.coinObjectId, version: '3', digest: coin.digest }]);
    expect(kind.ProgrammableTransaction!.commands[1]!.MoveCall!.function).toBe('make_immutable');
    await expect(
      verifyTransactionSignature(bytes, signature, { address: signer.address }),
    ).resolves.toBeDefined();
  });

  it('sends nothing when the dry run fails or the account is empty', async () => {
    const failing = new FakeNode();
    failing.status = { status: 'failure', error: 'InsufficientGas' };
    await expect(deploySuiPay(failing.rpc, signer)).rejects.toThrow('The dry run failed: InsufficientGas');
    const empty = new FakeNode();
    empty.coins = [];
    await expect(deploySuiPay(empty.rpc, signer)).rejects.toThrow('has no SUI');
    expect([...failing.sent, ...empty.sent]).toEqual([]);
  });
});

describe('verifySuiDeployment', () => {
  const verify = (changes: Partial<FakeNode>) =>
    verifySuiDeployment(Object.assign(new FakeNode(), changes).rpc, 'D');
  const cap = { type: 'created', objectId: '0x1', objectType: '0x2::package::UpgradeCap', owner: {} };

  it('rejects a package that can be upgraded', async () => {
    await expect(verify({ changes: [published, registry, cap] })).rejects.toThrow('can be upgraded');
  });

  it('rejects a package of another module, or of one more', async () => {
    const { modules } = new FakeNode();
    const foreign = { pay: Buffer.from(publishedSuiModule(registryId)).toString('base64') };
    for (const wrong of [{}, foreign, { ...modules, more: 'oRzrCw==' }, { other: modules['pay']! }])
      await expect(verify({ modules: wrong })).rejects.toThrow('is not the payment module of this release');
  });

  it('rejects a transaction that failed, published nothing or shared no registry', async () => {
    await expect(verify({ status: { status: 'failure', error: 'x' } })).rejects.toThrow(
      'The transaction failed: x',
    );
    await expect(verify({ changes: [registry] })).rejects.toThrow('published no package');
    await expect(verify({ changes: [published] })).rejects.toThrow('shared no registry');
    const owned = { ...registry, owner: {} };
    await expect(verify({ changes: [published, owned] })).rejects.toThrow('shared no registry');
  });
});

describe('runSuiDeployCommand', () => {
  const run = (args: string[], env = {}) => runSuiDeployCommand(args, env, () => undefined);

  it('describes the package without a node and a key', async () => {
    const text = await run(['--dry-run']);
    const kind = bcs.TransactionKind.parse(Buffer.from(text.split('\n').at(-1)!, 'base64'));
    expect(kind.ProgrammableTransaction!.commands).toHaveLength(2);
  });

  it('shows its usage for wrong arguments, without quoting them', async () => {
    for (const args of [[], ['--dry-run', 'url'], ['a', 'b'], ['--key', 'secret'], ['url']])
      await expect(run(args)).rejects.toThrow(/^Usage: (?!.*secret)/);
  });

  it('names neither the key nor the URL in an error', async () => {
    const env = { SUI_DEPLOYER_PRIVATE_KEY: '33'.repeat(32) };
    const failure = await run(['http://127.0.0.1:1/token'], env).catch((error: Error) => error.message);
    expect(failure).toBe('The node did not answer suix_getReferenceGasPrice');
  });
});
