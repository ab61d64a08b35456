import { loadChains, type Token } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import { readTokens, type SalesConfig } from '../settings';
import type { SolanaWallet } from './solana-wallet';

/** Contains the wallet where Solana is accepted. */
export class SolanaSales {
  constructor(readonly wallet: SolanaWallet | undefined) {}
}

/** Opens the wallet. Loads its libraries only when the settings contain a Solana token and CHAINS_FILE the chain. */
export async function openSolana(
  config: SalesConfig & { CHAINS_FILE: string },
  logger: Logger,
): Promise<SolanaSales> {
  const { SALES: sales, SALES_TOKENS: tokens, SALES_SOLANA_KEY: key, CHAINS_FILE: file } = config;
  const chosen = readTokens(tokens).filter(({ family }) => family === 'solana');
  if (sales === 'off' || chosen.length === 0 || file === '') return new SolanaSales(undefined);
  const chain = loadChains(file, 'solana').find(({ id }) => chosen.some((it) => it.chain === id));
  if (!chain) return new SolanaSales(undefined);
  const symbols = chosen.map(({ symbol }) => symbol);
  const [{ SolanaWallet: Wallet }, { openSolanaReader }] = await Promise.all([
    import('./solana-wallet'),
    import('@tollbridge/solana'),
  ]);
  const { rpc } = openSolanaReader(chain, logger);
  const isChosen = (token: Token): token is Token & { address: string } =>
    token.address !== null && symbols.includes(token.symbol);
  return new SolanaSales(new Wallet(key, { chain, rpc, tokens: chain.tokens.filter(isChosen) }, logger));
}
