import {
  isObject,
  mainnet,
  readAccount,
  readNetwork,
  schemeName,
  testnet,
  usdt,
  type Asset,
  type Deployment,
  type Network,
} from '@tollbridge/nanopay-protocol';

export interface DeploymentQuestion {
  /** URL of the gateway, without a trailing slash. */
  teeEndpoint: string;
  network?: Network['name'];
  asset?: Asset;
  /** Replaces Node's `fetch` in tests. */
  fetch?: typeof fetch;
}

const timeoutMs = 3_000;
const maxAnswerBytes = 64 * 1024;
/** Pause after a failed request to the gateway. */
const pauseMs = 1_000;

/** The deployment that charges payments. The first request loads it from the gateway. */
export class Deployments {
  private underWay: Promise<Deployment | undefined> | undefined;
  private askAgainMs = 0;

  constructor(
    public current: Deployment | undefined,
    private readonly question: DeploymentQuestion | undefined,
  ) {}

  /** Resolves to undefined until the gateway answers. */
  load(): Promise<Deployment | undefined> {
    if (this.current || !this.question) return Promise.resolve(this.current);
    if (this.underWay) return this.underWay;
    if (performance.now() < this.askAgainMs) return Promise.resolve(undefined);
    this.underWay = this.ask(this.question).finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  private async ask(question: DeploymentQuestion): Promise<Deployment | undefined> {
    try {
      this.current = deploymentIn(await supportedOf(question), question);
    } catch {
      this.current = undefined;
    }
    this.askAgainMs = performance.now() + pauseMs;
    return this.current;
  }
}

async function supportedOf({ teeEndpoint, fetch: ask = fetch }: DeploymentQuestion): Promise<unknown> {
  const response = await ask(`${teeEndpoint}/supported`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { Accept: 'application/json' },
  });
  if (!response.ok || !response.body) throw new TypeError(`The gateway answered ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    byteLength += chunk.length;
    if (byteLength > maxAnswerBytes) throw new RangeError('The answer of the gateway is too long.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Returns the deployment in the reply of `/supported`, or undefined if the reply has none for this network. */
export function deploymentIn(supported: unknown, question: DeploymentQuestion): Deployment | undefined {
  const network = question.network === 'ton-testnet' ? testnet : mainnet;
  const kinds = isObject(supported) && Array.isArray(supported.kinds) ? supported.kinds : [];
  for (const kind of kinds.filter(isObject)) {
    if (kind.scheme !== schemeName || typeof kind.network !== 'string') continue;
    if (readNetwork(kind.network) !== network || !isObject(kind.extra)) continue;
    const { verifyingContract, teeEndpoint } = kind.extra;
    const contract = typeof verifyingContract === 'string' ? readAccount(verifyingContract) : undefined;
    if (contract === undefined) continue;
    return {
      network,
      verifyingContract: contract,
      asset: question.asset ?? assetIn(kind.extra),
      teeEndpoint: typeof teeEndpoint === 'string' ? teeEndpoint : question.teeEndpoint,
    };
  }
  return undefined;
}

/** The gateway specifies the jetton if it differs from the jetton of the main network. */
function assetIn({ asset }: Record<string, unknown>): Asset {
  const master = typeof asset === 'string' ? readAccount(asset, true) : undefined;
  return master === undefined ? usdt : { ...usdt, master };
}
