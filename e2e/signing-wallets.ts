import { generateKeyPairSigner, signBytes, type KeyPairSigner } from '@solana/kit';
import { Address, beginCell, storeStateInit } from '@ton/core';
import { keyPairFromSeed, sha256_sync as sha256, sign, type KeyPair } from '@ton/crypto';
import { WalletContractV5R1 } from '@ton/ton';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { installStandardWallet } from './checkout/standard-wallet';

/** The wallet's response to a signature request. */
export type Conduct = 'sign' | 'decline' | 'sign with another key';

/** A wallet that signs in this process. */
export interface SigningWallet {
  address: string;
  conduct: Conduct;
  install(page: Page): Promise<void>;
}

/** A Solana wallet that registers itself by the Wallet Standard and signs messages. */
export class SolanaSigner implements SigningWallet {
  conduct: Conduct = 'sign';

  private constructor(
    private readonly own: KeyPairSigner,
    private readonly other: KeyPairSigner,
  ) {}

  static async create(): Promise<SolanaSigner> {
    return new SolanaSigner(await generateKeyPairSigner(), await generateKeyPairSigner());
  }

  get address(): string {
    return this.own.address;
  }

  async install(page: Page): Promise<void> {
    await page.exposeFunction('solanaSignMessage', async (message: number[]) => {
      if (this.conduct === 'decline') return undefined;
      const { keyPair } = this.conduct === 'sign' ? this.own : this.other;
      return [...(await signBytes(keyPair.privateKey, Uint8Array.from(message)))];
    });
    const wallet = { name: 'Sol Wallet', chain: 'solana:mainnet', address: this.address };
    await installStandardWallet(page, wallet, () => ({
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: async ({ message }: { message: Uint8Array }) => {
          const signature = await (globalThis as any).solanaSignMessage([...message]);
          if (!signature) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
          return [{ signedMessage: message, signature: Uint8Array.from(signature) }];
        },
      },
    }));
  }
}

interface ConnectItem {
  name: string;
  payload?: string;
}

/** A TON wallet with a JS bridge of TON Connect. It proves its address. */
export class TonSigner implements SigningWallet {
  conduct: Conduct = 'sign';
  private readonly own = newTonKeys();
  private readonly other = newTonKeys();
  private readonly contract = WalletContractV5R1.create({ workchain: 0, publicKey: this.own.publicKey });

  get address(): string {
    return this.contract.address.toString({ bounceable: false });
  }

  async install(page: Page): Promise<void> {
    await page.exposeFunction('tonConnect', (host: string, items: ConnectItem[]) =>
      this.connect(host, items),
    );
    await page.addInitScript(() => {
      const connect = async (_version: number, request: { manifestUrl: string; items: object[] }) => {
        const manifest = (await (await fetch(request.manifestUrl)).json()) as { url: string };
        return (globalThis as any).tonConnect(new URL(manifest.url).host, request.items);
      };
      Object.assign(globalThis, {
        exampleTon: { tonconnect: { walletInfo: { name: 'Ton Wallet' }, connect } },
      });
    });
  }

  private async connect(domain: string, items: readonly ConnectItem[]): Promise<object> {
    const proof = items.find(({ name }) => name === 'ton_proof');
    if (proof && this.conduct === 'decline')
      return { event: 'connect_error', payload: { code: 300, message: 'User declined the connection' } };
    const account = {
      name: 'ton_addr',
      address: this.contract.address.toRawString(),
      network: '-239',
      publicKey: this.own.publicKey.toString('hex'),
      walletStateInit: beginCell()
        .store(storeStateInit(this.contract.init))
        .endCell()
        .toBoc()
        .toString('base64'),
    };
    const proven = proof ? [{ name: 'ton_proof', proof: this.prove(domain, proof.payload!) }] : [];
    return { event: 'connect', payload: { items: [account, ...proven] } };
  }

  private prove(domain: string, payload: string): object {
    const timestamp = Math.floor(Date.now() / 1_000);
    const digest = proofDigest(this.contract.address, domain, timestamp, payload);
    const { secretKey } = this.conduct === 'sign' ? this.own : this.other;
    const signature = sign(digest, secretKey).toString('base64');
    return { timestamp, domain: { lengthBytes: domain.length, value: domain }, payload, signature };
  }
}

const newTonKeys = (): KeyPair => keyPairFromSeed(randomBytes(32));

/** The signed bytes, as TON Connect defines them. */
function proofDigest(
  { workChain, hash }: Address,
  domain: string,
  timestamp: number,
  payload: string,
): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeInt32BE(workChain, 0);
  numbers.writeUInt32LE(domain.length, 4);
  numbers.writeBigUInt64LE(BigInt(timestamp), 8);
  const parts = [
    Buffer.from('ton-proof-item-v2/'),
    numbers.subarray(0, 4),
    hash,
    numbers.subarray(4, 8),
    Buffer.from(domain),
    numbers.subarray(8),
    Buffer.from(payload),
  ];
  const item = sha256(Buffer.concat(parts));
  return sha256(Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-connect'), item]));
}
