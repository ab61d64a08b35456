import { BcsReader } from './bcs';
import { publishedSuiModule, encodeSuiPublish, type SuiObjectRef } from './sui-calls';
import { canonicalMoveType } from './move-type';
import type { SuiPayContract } from './sui-order';
import { encodeSuiTransaction, suiTransactionDigest, type SuiSigner } from './sui-transaction';

/**
 * Sends a query to a node's GraphQL RPC and returns its data.
 * @throws when the node rejects the query or does not answer
 */
export type SuiQuery = (query: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface SuiDeployment extends SuiPayContract {
  /** Digest of the publishing transaction. */
  readonly digest: string;
  /** The checkpoint that includes the transaction. Payments cannot be in an earlier one. */
  readonly checkpoint: number;
}

const suiCoin = canonicalMoveType('0x2::coin::Coin<0x2::sui::SUI>');
const upgradeCap = canonicalMoveType('0x2::package::UpgradeCap');
// The maximum cost of a transaction on the main network. The dry run uses it as budget if the account has as much.
const mostMist = 50_000_000_000n;
// A checkpoint takes a fraction of a second, and the index behind GraphQL some seconds.
const polls = 30;
const pollEveryMs = 1_000;

const gas = `query ($owner: SuiAddress!, $type: String!) { epoch { referenceGasPrice }
  address(address: $owner) { objects(first: 50, filter: { type: $type }) {
    nodes { address version digest contents { bcs } } } } }`;
const rehearse = `query ($transaction: JSON!) { simulateTransaction(transaction: $transaction) { error
  effects { status executionError { message } gasEffects { gasSummary { computationCost storageCost } } } } }`;
const send = `mutation ($transaction: Base64!, $signatures: [Base64!]!) {
  executeTransaction(transactionDataBcs: $transaction, signatures: $signatures) { errors effects { status } } }`;
const read = `query ($digest: String!) { transaction(digest: $digest) { effects { status executionError { message }
  checkpoint { sequenceNumber } objectChanges(first: 50) { nodes { address outputState {
    owner { __typename ... on Shared { initialSharedVersion } }
    asMoveObject { contents { type { repr } } }
    asMovePackage { modules(first: 50) { nodes { name bytes } } } } } } } } }`;

interface Effects {
  status: string;
  executionError?: { message: string } | null;
}
interface ObjectChange {
  address: string;
  outputState?: {
    owner?: { __typename: string; initialSharedVersion?: number } | null;
    asMoveObject?: { contents: { type: { repr: string } } } | null;
    asMovePackage?: { modules: { nodes: { name: string; bytes: string }[] } } | null;
  } | null;
}
interface Published {
  transaction?: {
    effects?:
      | (Effects & {
          checkpoint?: { sequenceNumber: number } | null;
          objectChanges: { nodes: ObjectChange[] };
        })
      | null;
  } | null;
}

/**
 * Publishes the package immutably and verifies it.
 * @param onDigest called with the transaction's digest before it is sent. When the node does not answer, the outcome is
 * unknown: call `verifySuiDeployment` with this digest.
 * @throws when the account lacks SUI, the dry run fails, or the published package is not ours
 */
export async function deploySuiPay(
  query: SuiQuery,
  signer: SuiSigner,
  onDigest: (digest: string) => void = () => undefined,
): Promise<SuiDeployment> {
  const kind = encodeSuiPublish();
  const { price, coins, balanceMist } = await readGas(query, signer.address);
  const most = balanceMist < mostMist ? balanceMist : mostMist;
  const rehearsal = encodeSuiTransaction(kind, signer.address, { coins, price, budget: most });
  const budget = await costOf(query, rehearsal);
  const transaction = encodeSuiTransaction(kind, signer.address, { coins, price, budget });
  const digest = suiTransactionDigest(transaction);
  onDigest(digest);
  const signatures = [signer.sign(transaction)];
  const { executeTransaction: sent } = (await query(send, {
    transaction: base64(transaction),
    signatures,
  })) as {
    executeTransaction: { errors?: string[] | null };
  };
  if (sent.errors?.length) throw new Error(`The node rejected the transaction: ${sent.errors.join('; ')}`);
  return verifySuiDeployment(query, digest);
}

/**
 * Reads a deployment from its publishing transaction, and verifies that it is ours and can never be upgraded. Waits up
 * to half a minute for the checkpoint that includes it.
 * @throws when the transaction is unknown or failed, published another package, or left an upgrade capability
 */
export async function verifySuiDeployment(
  query: SuiQuery,
  digest: string,
  pollMs = pollEveryMs,
): Promise<SuiDeployment> {
  const { effects, checkpoint } = await included(query, digest, pollMs);
  if (effects.status !== 'SUCCESS')
    throw new Error(`The transaction failed: ${effects.executionError?.message ?? 'no reason given'}`);
  const changes = effects.objectChanges.nodes;
  const published = changes.find(({ outputState }) => outputState?.asMovePackage);
  if (published === undefined) throw new Error('The transaction published no package');
  if (changes.some((it) => isOfType(it, upgradeCap))) throw new Error('The package can be upgraded');
  requireOurModule(published);
  const packageId = published.address;
  const registry = changes.find((it) => isOfType(it, canonicalMoveType(`${packageId}::pay::Registry`)));
  const version = registry?.outputState?.owner?.initialSharedVersion;
  if (registry === undefined || version === undefined) throw new Error('The transaction shared no registry');
  return { packageId, registryId: registry.address, registryVersion: BigInt(version), digest, checkpoint };
}

async function included(query: SuiQuery, digest: string, pollMs: number) {
  for (let poll = 1; ; poll++) {
    const { transaction } = (await query(read, { digest })) as Published;
    const effects = transaction?.effects;
    if (effects?.checkpoint) return { effects, checkpoint: effects.checkpoint.sequenceNumber };
    if (poll === polls) throw new Error(`No checkpoint includes the transaction ${digest}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function isOfType({ outputState }: ObjectChange, type: string): boolean {
  const repr = outputState?.asMoveObject?.contents.type.repr;
  return repr !== undefined && canonicalMoveType(repr) === type;
}

function requireOurModule({ address, outputState }: ObjectChange): void {
  const modules = outputState?.asMovePackage?.modules.nodes ?? [];
  const isOurs = modules[0]?.name === 'pay' && modules[0].bytes === base64(publishedSuiModule(address));
  if (modules.length !== 1 || !isOurs)
    throw new Error(`The package ${address} is not the payment module of this release`);
}

/** Reads one page of the account's coins. The dry run fails if they do not cover the cost. */
async function readGas(
  query: SuiQuery,
  owner: string,
): Promise<{ price: bigint; coins: SuiObjectRef[]; balanceMist: bigint }> {
  const { epoch, address } = (await query(gas, { owner, type: suiCoin })) as {
    epoch: { referenceGasPrice: string };
    address: {
      objects: { nodes: { address: string; version: number; digest: string; contents: { bcs: string } }[] };
    };
  };
  const { nodes } = address.objects;
  if (nodes.length === 0) throw new Error(`The account ${owner} has no SUI for the gas`);
  const coins = nodes.map(({ address: objectId, version, digest }) => {
    return { objectId, version: BigInt(version), digest };
  });
  const balanceMist = nodes.reduce((sum, { contents }) => sum + balanceOf(contents.bcs), 0n);
  return { price: BigInt(epoch.referenceGasPrice), coins, balanceMist };
}

function balanceOf(coin: string): bigint {
  const reader = new BcsReader(Uint8Array.from(Buffer.from(coin, 'base64')));
  reader.address();
  return reader.u64();
}

/** Returns the budget in MIST: the computation and storage cost of a dry run, plus 20 %. */
async function costOf(query: SuiQuery, transaction: Uint8Array): Promise<bigint> {
  const variables = { transaction: { bcs: { value: base64(transaction) } } };
  const { simulateTransaction: simulated } = (await query(rehearse, variables)) as {
    simulateTransaction: {
      error?: string | null;
      effects?:
        | (Effects & { gasEffects: { gasSummary: { computationCost: number; storageCost: number } } })
        | null;
    };
  };
  const { effects, error } = simulated;
  if (effects?.status !== 'SUCCESS')
    throw new Error(`The dry run failed: ${error ?? effects?.executionError?.message ?? 'no reason given'}`);
  const { computationCost, storageCost } = effects.gasEffects.gasSummary;
  return ((BigInt(computationCost) + BigInt(storageCost)) * 6n) / 5n;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
