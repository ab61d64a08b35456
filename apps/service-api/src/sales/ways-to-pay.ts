import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { findToken } from '@tollbridge/chains';
import { facilitatorApi, nanoChargesApi } from '@tollbridge/contracts';
import type { EvmRpc } from '@tollbridge/evm';
import { maxAmountAtomic as maxNanoAtomic, schemeName } from '@tollbridge/nanopay-protocol';
import { BusClient } from '@tollbridge/rpc';
import { Interface, Wallet } from 'ethers';
import { PayoutChains } from '../payouts/payout-chains';
import { atomicOf, isSolana, usdDigits } from './sale';
import { readTokens, type SalesConfig, type TokenChoice } from './settings';
import { SolanaSales } from './solana/open-solana';

type Json = Record<string, unknown>;

/** An accepted payment without its price. */
export interface WayToPay {
  scheme: 'exact' | 'ton-nanopay';
  /** The largest amount of one payment. */
  maxAmountAtomic: bigint;
  network: string;
  asset: string;
  decimals: number;
  payTo: string;
  /** The x402 requirements. Amount and time are set for each offer. */
  requirements: Json & { extra: Json };
}

const refreshMs = 30_000;
const nanoDecimals = 6;
const domain = new Interface([
  'function name() view returns (string)',
  'function version() view returns (string)',
]);

/** The ways to pay for sales: those of the settings that the facilitator and the ledger support now. */
@Injectable()
export class WaysToPay {
  readonly #wallet: Wallet | undefined;
  private readonly extras = new Map<string, Json>();
  private cached: { ways: Promise<WayToPay[]>; atMs: number } | undefined;

  constructor(
    private readonly bus: BusClient,
    private readonly chains: PayoutChains,
    private readonly solana: SolanaSales,
    @Inject(ServiceConfig) private readonly config: SalesConfig,
  ) {
    const { SALES: sales, SALES_KEY: key } = config;
    this.#wallet = sales === 'on' && key ? new Wallet(key) : undefined;
  }

  /** The wallet that receives payments by `exact` and refunds them. */
  get wallet(): Wallet {
    if (!this.#wallet) throw new Error('SALES_KEY is missing');
    return this.#wallet;
  }

  /** Returns the last known ways while a service does not answer. */
  async all(): Promise<WayToPay[]> {
    const nowMs = performance.now();
    if (!this.cached || nowMs - this.cached.atMs > refreshMs) {
      const former = this.cached?.ways;
      const ways = this.read();
      this.cached = { ways, atMs: nowMs };
      void ways.then((found) => {
        if (found.length === 0) this.cached = former ? { ways: former, atMs: nowMs } : undefined;
      });
    }
    return this.cached.ways;
  }

  async find(scheme: string, network: string, asset: string): Promise<WayToPay | undefined> {
    const isSame = (way: WayToPay) =>
      way.asset === asset || (!isSolana(network) && way.asset.toLowerCase() === asset.toLowerCase());
    return (await this.all()).find((way) => way.scheme === scheme && way.network === network && isSame(way));
  }

  private async read(): Promise<WayToPay[]> {
    const [nano, exact] = await Promise.all([
      this.readNano().catch(() => []),
      this.readExact().catch(() => []),
    ]);
    return [...nano, ...exact];
  }

  private async readNano(): Promise<WayToPay[]> {
    const payTo = this.config.SALES_TON_ACCOUNT;
    if (payTo === '') return [];
    const { offers } = await this.bus.call(nanoChargesApi.operations.chargeOffers, { payTo, method: 'POST' });
    return offers.map((offer) => {
      const { network, asset, extra } = offer as { network: string; asset: string; extra: Json };
      const requirements = { ...offer, extra };
      return {
        scheme: schemeName,
        maxAmountAtomic: maxNanoAtomic,
        network,
        asset,
        decimals: nanoDecimals,
        payTo,
        requirements,
      };
    });
  }

  private async readExact(): Promise<WayToPay[]> {
    const tokens = readTokens(this.config.SALES_TOKENS);
    if (tokens.length === 0) return [];
    const { kinds } = await this.bus.call(facilitatorApi.operations.facilitatedKinds, {});
    const kindOf = (network: string) =>
      kinds.find((kind) => kind.scheme === 'exact' && kind.network === network);
    const readOne = async ({ chain, family, symbol }: TokenChoice): Promise<WayToPay | undefined> => {
      if (family === 'solana') return this.readMint(symbol, kindOf);
      return kindOf(chain) && this.readToken(chain, symbol);
    };
    const ways = tokens.map((token) => readOne(token).catch(() => undefined));
    return (await Promise.all(ways)).filter((way) => way !== undefined);
  }

  /** Reads the token of Solana. The payer's transaction must specify the account that pays its fee. */
  private async readMint(
    symbol: string,
    kindOf: (network: string) => { extra?: Json } | undefined,
  ): Promise<WayToPay | undefined> {
    const { wallet } = this.solana;
    if (!wallet) return undefined;
    const token = wallet.tokens.find((it) => it.symbol === symbol);
    const feePayer = kindOf(wallet.network)?.extra?.feePayer;
    if (!token || typeof feePayer !== 'string' || token.decimals < usdDigits) return undefined;
    const { address: asset, decimals } = token;
    const maxAmountAtomic = BigInt(token.maxAmountAtomic);
    if (!(await wallet.canReceive(asset))) return undefined;
    const { network, address: payTo } = wallet;
    const requirements = { scheme: 'exact', network, asset, payTo, extra: { feePayer } };
    return { scheme: 'exact', maxAmountAtomic, network, asset, decimals, payTo, requirements };
  }

  private async readToken(network: string, symbol: string): Promise<WayToPay | undefined> {
    const place = this.chains.find(network);
    const token = place && findToken(place.chain, symbol);
    if (!place || !token || token.address === null || token.decimals < usdDigits) return undefined;
    const { address: asset, decimals } = token;
    const maxAmountAtomic = BigInt(token.maxAmountAtomic);
    const extra = this.extras.get(`${network} ${asset}`) ?? (await readDomain(place.rpc, asset));
    this.extras.set(`${network} ${asset}`, extra);
    const payTo = this.wallet.address;
    const requirements = { scheme: 'exact', network, asset, payTo, extra };
    return { scheme: 'exact', maxAmountAtomic, network, asset, decimals, payTo, requirements };
  }
}

/** Reads the EIP-712 domain of the token, which buyers sign. @throws RpcError */
async function readDomain(rpc: EvmRpc, to: string): Promise<Json> {
  const read = async (name: 'name' | 'version'): Promise<string> => {
    const returned = await rpc.ethCall({ to, data: domain.encodeFunctionData(name) });
    return String(domain.decodeFunctionResult(name, returned)[0]);
  };
  return { name: await read('name'), version: await read('version') };
}

/** Whether one payment can have this price. */
export const isPayable = (
  { maxAmountAtomic, decimals }: Pick<WayToPay, 'maxAmountAtomic' | 'decimals'>,
  micros: bigint,
): boolean => atomicOf(micros, decimals) <= maxAmountAtomic;

/** Returns the x402 requirements for a price. */
export const requirementsOf = (
  { decimals, requirements }: WayToPay,
  { micros, offer, seconds }: { micros: bigint; offer: string; seconds: number },
): Json => ({
  ...requirements,
  amount: String(atomicOf(micros, decimals)),
  maxTimeoutSeconds: seconds,
  extra: { ...requirements.extra, offer },
});
