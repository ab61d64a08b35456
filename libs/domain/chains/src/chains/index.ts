import type { Chain } from '../registry/chain';
import { aleo } from './aleo';
import { aptos } from './aptos';
import { arbitrum } from './arbitrum';
import { avalanche } from './avalanche';
import { base } from './base';
import { baseSepolia } from './base-sepolia';
import { berachain } from './berachain';
import { bitcoin } from './bitcoin';
import { bitcoinCash } from './bitcoin-cash';
import { bsc } from './bsc';
import { cardano } from './cardano';
import { dash } from './dash';
import { dogecoin } from './dogecoin';
import { ethereum } from './ethereum';
import { gnosis } from './gnosis';
import { litecoin } from './litecoin';
import { monad } from './monad';
import { near } from './near';
import { optimism } from './optimism';
import { polygon } from './polygon';
import { scroll } from './scroll';
import { solana } from './solana';
import { starknet } from './starknet';
import { stellar } from './stellar';
import { sui } from './sui';
import { ton } from './ton';
import { tron } from './tron';
import { xrp } from './xrp';
import { zcash } from './zcash';

/** Every chain, in the order of the specification: chains with a payment contract first. */
export const chainDescriptors: readonly Chain[] = [
  ethereum,
  base,
  arbitrum,
  polygon,
  optimism,
  bsc,
  avalanche,
  baseSepolia,
  ton,
  solana,
  tron,
  sui,
  bitcoin,
  near,
  stellar,
  starknet,
  cardano,
  aleo,
  xrp,
  dogecoin,
  litecoin,
  bitcoinCash,
  zcash,
  dash,
  aptos,
  gnosis,
  scroll,
  monad,
  berachain,
];
