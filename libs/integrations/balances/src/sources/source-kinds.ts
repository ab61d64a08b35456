import type { BalanceProtocol, Chain } from '@tollbridge/chains';
import { aleoReader } from '../aleo/aleo.reader';
import { aptosReader } from '../aptos/aptos.reader';
import { blockbookReader } from '../blockbook/blockbook.reader';
import { Endpoints } from '../endpoints';
import { esploraReader } from '../esplora/esplora.reader';
import { evmReader } from '../evm/evm.reader';
import type { BalanceReader } from '../holding';
import { horizonReader } from '../horizon/horizon.reader';
import { koiosReader } from '../koios/koios.reader';
import { nearReader } from '../near/near.reader';
import { rippledReader } from '../rippled/rippled.reader';
import { solanaReader } from '../solana/solana.reader';
import { starknetReader } from '../starknet/starknet.reader';
import { suiGraphqlReader, suiJsonRpcReader } from '../sui/sui.reader';
import { toncenterReader } from '../toncenter/toncenter.reader';
import { trongridReader } from '../trongrid/trongrid.reader';

const httpReaders = {
  toncenter: toncenterReader,
  solana: solanaReader,
  trongrid: trongridReader,
  suiGraphql: suiGraphqlReader,
  suiJsonRpc: suiJsonRpcReader,
  esplora: esploraReader,
  blockbook: blockbookReader,
  near: nearReader,
  horizon: horizonReader,
  rippled: rippledReader,
  starknet: starknetReader,
  koios: koiosReader,
  aptos: aptosReader,
  aleo: aleoReader,
} satisfies Record<Exclude<BalanceProtocol, 'evm'>, (endpoints: Endpoints) => BalanceReader>;

export type SourceKind = BalanceProtocol;

/** A configured source of a chain's balances. */
export interface BalanceSource {
  /** Any name of the chain in the registry. */
  chain: string;
  /** The protocol. By default the first protocol of the chain. */
  kind?: SourceKind;
  /** In order of preference. */
  urls: readonly string[];
  /** Headers of every request, for example keys. They are not sent to EVM nodes. */
  headers?: Readonly<Record<string, string>>;
}

/** Returns the protocols that can read a chain, the usual one first. */
export function sourceKindsOf(chain: Chain): readonly SourceKind[] {
  return chain.balanceProtocols;
}

/** @param timeoutMs time limit for all URLs of the source together */
export function openReader(chain: Chain, source: BalanceSource, timeoutMs: number): BalanceReader {
  const { urls, headers = {} } = source;
  const kind = source.kind ?? sourceKindsOf(chain)[0]!;
  if (kind === 'evm') return evmReader(chain, { urls, timeoutMs });
  return httpReaders[kind](new Endpoints({ chain: chain.id, urls, headers, timeoutMs }));
}
