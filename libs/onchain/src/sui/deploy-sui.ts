import { publishedSuiModule, encodeSuiPublish, type SuiObjectRef } from './sui-calls';
import { canonicalMoveType } from './move-type';
import type { SuiPayContract } from './sui-order';
import { encodeSuiTransaction, suiTransactionDigest, type SuiSigner } from './sui-transaction';

/** Calls a method of a node's JSON-RPC and returns its result. @throws when the node rejects it or does not answer */
export type SuiRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface SuiDeployment extends SuiPayContract {
  /** Digest of the transaction that published the package. */
  readonly digest: string;
}

const SUI = '0x2::sui::SUI';
const UPGRADE_CAP = canonicalMoveType('0x2::package::UpgradeCap');
// The most that a transaction may cost on the main network: for the dry run, which needs no such funds.
const DRY_RUN_BUDGET = 50_000_000_000n;

interface ObjectChange {
  type: string;
  packageId?: string;
  objectId?: string;
  objectType?: string;
  owner?: { Shared?: { initial_shared_version: string | number } };
}
interface TransactionReply {
  effects?: { status: { status: string; error?: string } } | null;
  objectChanges?: ObjectChange[] | null;
}

/**
 * Publishes the package immutably and verifies it.
 * @param onDigest gets the transaction's digest before it is sent: when the node does not answer, the outcome is unknown and
 * `verifySuiDeployment` with this digest reports it
 * @throws when the account lacks SUI, the dry run fails, or the published package is not ours
 */
export async function deploySuiPay(
  rpc: SuiRpc,
  signer: SuiSigner,
  onDigest: (digest: string) => void = () => undefined,
): Promise<SuiDeployment> {
  const kind = encodeSuiPublish();
  const price = BigInt((await rpc('suix_getReferenceGasPrice', [])) as string);
  const coins = await gasCoins(rpc, signer.address);
  const rehearsal = encodeSuiTransaction(kind, signer.address, { coins: [], price, budget: DRY_RUN_BUDGET });
  const budget = await costOf(rpc, rehearsal);
  const transaction = encodeSuiTransaction(kind, signer.address, { coins, price, budget });
  const digest = suiTransactionDigest(transaction);
  onDigest(digest);
  await rpc('sui_executeTransactionBlock', [
    Buffer.from(transaction).toString('base64'),
    [signer.sign(transaction)],
    { showEffects: true },
    'WaitForLocalExecution',
  ]);
  return verifySuiDeployment(rpc, digest);
}

/**
 * Reads a deployment from the transaction that published it, and verifies that it is ours and can never be upgraded.
 * @throws when the transaction is unknown or failed, or published another package, or left a right to upgrade
 */
export async function verifySuiDeployment(rpc: SuiRpc, digest: string): Promise<SuiDeployment> {
  const options = { showEffects: true, showObjectChanges: true };
  const { effects, objectChanges } = (await rpc('sui_getTransactionBlock', [
    digest,
    options,
  ])) as TransactionReply;
  if (effects?.status.status !== 'success')
    throw new Error(`The transaction failed: ${effects?.status.error ?? 'no reason given'}`);
  const changes = objectChanges ?? [];
  const packageId = changes.find(({ type }) => type === 'published')?.packageId;
  if (packageId === undefined) throw new Error('The transaction published no package');
  if (changes.some((it) => isOfType(it, UPGRADE_CAP))) throw new Error('The package can be upgraded');
  await requireOurModule(rpc, packageId);
  const registry = changes.find((it) => isOfType(it, canonicalMoveType(`${packageId}::pay::Registry`)));
  const version = registry?.owner?.Shared?.initial_shared_version;
  if (registry?.objectId === undefined || version === undefined)
    throw new Error('The transaction shared no registry');
  return { packageId, registryId: registry.objectId, registryVersion: BigInt(version), digest };
}

const isOfType = ({ objectType }: ObjectChange, type: string): boolean =>
  objectType !== undefined && canonicalMoveType(objectType) === type;

async function requireOurModule(rpc: SuiRpc, packageId: string): Promise<void> {
  const reply = (await rpc('sui_getObject', [packageId, { showBcs: true }])) as {
    data?: { bcs?: { moduleMap?: Record<string, string> } };
  };
  const modules = reply.data?.bcs?.moduleMap ?? {};
  const expected = Buffer.from(publishedSuiModule(packageId)).toString('base64');
  if (Object.keys(modules).join() !== 'pay' || modules['pay'] !== expected)
    throw new Error(`The package ${packageId} is not the payment module of this release`);
}

/** One page of the account's coins: the node rejects the transaction when they do not cover the budget. */
async function gasCoins(rpc: SuiRpc, owner: string): Promise<SuiObjectRef[]> {
  const { data } = (await rpc('suix_getCoins', [owner, SUI, null, 50])) as {
    data: { coinObjectId: string; version: string; digest: string }[];
  };
  if (data.length === 0) throw new Error(`The account ${owner} has no SUI for the gas`);
  return data.map(({ coinObjectId, version, digest }) => ({
    objectId: coinObjectId,
    version: BigInt(version),
    digest,
  }));
}

/** What the transaction may cost in MIST: computation and storage of a dry run, and a fifth more. */
async function costOf(rpc: SuiRpc, transaction: Uint8Array): Promise<bigint> {
  const reply = (await rpc('sui_dryRunTransactionBlock', [Buffer.from(transaction).toString('base64')])) as {
    effects: { status: { status: string; error?: string }; gasUsed: Record<string, string> };
  };
  const { status, gasUsed } = reply.effects;
  if (status.status !== 'success')
    throw new Error(`The dry run failed: ${status.error ?? 'no reason given'}`);
  const cost = BigInt(gasUsed['computationCost']!) + BigInt(gasUsed['storageCost']!);
  return (cost * 6n) / 5n;
}
