import type { Chain, Token } from '@tollbridge/chains';
import { jettonWalletAddress, usdtOnTon, type TonJetton } from '@tollbridge/onchain/ton';
import { jettonWalletAddressOf } from '../jettons';
import { rawOf } from './addresses';
import { badReply } from './node-client';
import type { TonNode } from './ton-node';

type Node = Pick<TonNode, 'runGetMethod'>;
/** A token of the chain with the description of its jetton. */
export interface ChainJetton {
  readonly token: Token;
  readonly jetton: TonJetton;
}

// Layouts of the initial data of a wallet: the number of zero bits before owner and master, and whether its code
// follows. The first is USDT's, the second is the reference's.
const layouts = [
  { leadingZeroBits: 8, hasCodeRef: false },
  { leadingZeroBits: 4, hasCodeRef: true },
  { leadingZeroBits: 8, hasCodeRef: true },
  { leadingZeroBits: 4, hasCodeRef: false },
];
// An arbitrary owner, because every owner reveals the layout.
const probe = `0:${'5a'.repeat(32)}`;
const walletCodeAt = 4;

/**
 * Describes the jettons of a chain for its payment contract. Each description is compared once with the addresses that
 * the jetton's master computes. The result is cached, since a master never changes this computation.
 */
export class ChainJettons {
  private readonly known = new Map<string, TonJetton>();

  constructor(private readonly chain: Pick<Chain, 'tokens'>) {}

  /** @throws ProviderError */
  async all(node: Node): Promise<ChainJetton[]> {
    const tokens = this.chain.tokens.filter(({ address }) => address !== null);
    return Promise.all(tokens.map(async (token) => ({ token, jetton: await this.of(node, token.address!) })));
  }

  /** @param address of the jetton's master, in any form. @throws ProviderError */
  async of(node: Node, address: string): Promise<TonJetton> {
    const master = await rawOf(address);
    const known = this.known.get(master);
    if (known) return known;
    const jetton = await describe(node, master);
    this.known.set(master, jetton);
    return jetton;
  }
}

async function describe(node: Node, master: string): Promise<TonJetton> {
  const expected = await jettonWalletAddressOf(node, { master, owner: probe });
  for (const jetton of await candidates(node, master))
    if ((await jettonWalletAddress(jetton, probe)) === expected) return jetton;
  throw badReply(`the wallets of the jetton ${master} have an unknown layout`);
}

async function candidates(node: Node, master: string): Promise<TonJetton[]> {
  if (master === usdtOnTon.master) return [usdtOnTon];
  const { exitCode, stack } = await node.runGetMethod(master, 'get_jetton_data');
  const code = stack[walletCodeAt];
  if (exitCode !== 0 || typeof code !== 'object') throw badReply(`the jetton ${master} has no wallet code`);
  const walletCode = { walletCodeHash: code.hash().toString('hex'), walletCodeDepth: code.depth() };
  return layouts.map((layout) => ({ master, ...walletCode, ...layout }));
}
