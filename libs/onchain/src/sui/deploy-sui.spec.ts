import { bcs } from '@mysten/sui/bcs';
import { verifyTransactionSignature } from '@mysten/sui/verify';
import { base58 } from '@scure/base';
import { deploySuiPay, verifySuiDeployment, type SuiQuery } from './deploy-sui';
import { runSuiDeployCommand } from './deploy-sui-command';
import { publishedSuiModule } from './sui-calls';
import { SuiSigner, suiTransactionDigest } from './sui-transaction';

const signer = new SuiSigner('22'.repeat(32));
const packageId = `0x${'ab'.repeat(32)}`;
const registryId = `0x${'cd'.repeat(32)}`;
const coin = {
  address: `0x${'ef'.repeat(32)}`,
  version: 3,
  digest: base58.encode(new Uint8Array(32).fill(9)),
  // A balance of 1 SUI.
  contents: { bcs: Buffer.from(`${'ef'.repeat(32)}00ca9a3b00000000`, 'hex').toString('base64') },
};
const ours = Buffer.from(publishedSuiModule(packageId)).toString('base64');
const packageOf = (...modules: { name: string; bytes: string }[]) => ({
  address: packageId,
  outputState: { owner: { __typename: 'Immutable' }, asMovePackage: { modules: { nodes: modules } } },
});
const published = packageOf({ name: 'pay', bytes: ours });
const objectOf = (address: string, repr: string, owner: object) => ({
  address,
  outputState: { owner, asMoveObject: { contents: { type: { repr } } }, asMovePackage: null },
});
const registryType = `${packageId}::pay::Registry`;
const registry = objectOf(registryId, registryType, { __typename: 'Shared', initialSharedVersion: 17 });

/** A fake node that answers every query of a deployment and records the transactions. */
class FakeNode {
  readonly sent: { bytes: Uint8Array; signature: string }[] = [];
  status: { status: string; executionError?: { message: string } } = { status: 'SUCCESS' };
  changes: object[] = [published, registry];
  coins: object[] = [coin];
  rejections: string[] | null = null;
  /** Number of reads before the checkpoint includes the transaction. */
  pendingReads = 0;

  readonly query: SuiQuery = async (query, variables) => {
    if (query.includes('epoch'))
      return { epoch: { referenceGasPrice: '750' }, address: { objects: { nodes: this.coins } } };
    if (query.includes('simulateTransaction(')) {
      const gasSummary = { computationCost: 1_000_000, storageCost: 19_000_000 };
      return {
        simulateTransaction: { error: null, effects: { ...this.status, gasEffects: { gasSummary } } },
      };
    }
    if (query.startsWith('mutation')) {
      const { transaction, signatures } = variables as { transaction: string; signatures: string[] };
      this.sent.push({
        bytes: Uint8Array.from(Buffer.from(transaction, 'base64')),
        signature: signatures[0]!,
      });
      return { executeTransaction: { errors: this.rejections } };
    }
    if (this.pendingReads-- > 0) return { transaction: null };
    const effects = {
      ...this.status,
      checkpoint: { sequenceNumber: 5 },
      objectChanges: { nodes: this.changes },
    };
    return { transaction: { effects } };
  };
}

describe('deploySuiPay', () => {
  it('publishes with the budget from the dry run, and returns package and registry', async () => {
    const node = new FakeNode();
    const announced: string[] = [];
    const deployment = await deploySuiPay(node.query, signer, (digest) => announced.push(digest));
    const [{ bytes, signature }] = node.sent as [(typeof node.sent)[0]];
    expect(node.sent).toHaveLength(1);
    expect(announced).toEqual([suiTransactionDigest(bytes)]);
    expect(deployment).toEqual({
      packageId,
      registryId,
      registryVersion: 17n,
      digest: announced[0],
      checkpoint: 5,
    });
    const { sender, gasData, kind } = bcs.TransactionData.parse(bytes).V1!;
    expect(gasData).toMatchObject({ owner: sender, price: '750', budget: '24000000' });
    expect(gasData.payment).toEqual([{ objectId: coin.address, version: '3', digest: coin.digest }]);
    expect(kind.ProgrammableTransaction!.commands[1]!.MoveCall!.function).toBe('make_immutable');
    await expect(
      verifyTransactionSignature(bytes, signature, { address: signer.address }),
    ).resolves.toBeDefined();
  });

  it('sends nothing when the dry run fails or the account is empty', async () => {
    const failing = new FakeNode();
    failing.status = { status: 'FAILURE', executionError: { message: 'InsufficientGas' } };
    await expect(deploySuiPay(failing.query, signer)).rejects.toThrow('The dry run failed: InsufficientGas');
    const empty = new FakeNode();
    empty.coins = [];
    await expect(deploySuiPay(empty.query, signer)).rejects.toThrow('has no SUI');
    expect([...failing.sent, ...empty.sent]).toEqual([]);
  });
});

describe('a node that rejects the transaction', () => {
  it('causes an error that contains the rejection', async () => {
    const node = Object.assign(new FakeNode(), { rejections: ['stale object'] });
    await expect(deploySuiPay(node.query, signer)).rejects.toThrow('rejected the transaction: stale object');
  });
});

describe('verifySuiDeployment', () => {
  const verify = (changes: Partial<FakeNode>) =>
    verifySuiDeployment(Object.assign(new FakeNode(), changes).query, 'D', 0);
  const cap = objectOf('0x1', '0x2::package::UpgradeCap', { __typename: 'AddressOwner' });

  it('waits for the checkpoint', async () => {
    await expect(verify({ pendingReads: 3 })).resolves.toMatchObject({ packageId, checkpoint: 5 });
    await expect(verify({ pendingReads: 30 })).rejects.toThrow('No checkpoint includes the transaction D');
  });

  it('rejects a package that can be upgraded', async () => {
    await expect(verify({ changes: [published, registry, cap] })).rejects.toThrow('can be upgraded');
  });

  it('rejects a package with another module or an additional one', async () => {
    const pay = { name: 'pay', bytes: ours };
    const foreign = Buffer.from(publishedSuiModule(registryId)).toString('base64');
    const wrong = [
      packageOf(),
      packageOf({ name: 'pay', bytes: foreign }),
      packageOf(pay, { name: 'more', bytes: 'oRzrCw==' }),
      packageOf({ name: 'other', bytes: ours }),
    ];
    for (const it of wrong)
      await expect(verify({ changes: [it, registry] })).rejects.toThrow(
        'is not the payment module of this release',
      );
  });

  it('rejects a transaction that failed, published nothing or shared no registry', async () => {
    await expect(verify({ status: { status: 'FAILURE', executionError: { message: 'x' } } })).rejects.toThrow(
      'The transaction failed: x',
    );
    await expect(verify({ changes: [registry] })).rejects.toThrow('published no package');
    await expect(verify({ changes: [published] })).rejects.toThrow('shared no registry');
    const owned = objectOf(registryId, registryType, { __typename: 'AddressOwner' });
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

  it('hides the key and the URL in an error', async () => {
    const env = { SUI_DEPLOYER_PRIVATE_KEY: '33'.repeat(32) };
    const failure = await run(['http://127.0.0.1:1/token'], env).catch((error: Error) => error.message);
    expect(failure).toBe('The node did not answer');
  });
});
