import { startHttpServer, type Anvil, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { x402Facilitator } from '@x402/core/facilitator';
import type { Network, PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { UptoEvmScheme } from '@x402/evm/upto/facilitator';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createNonceManager, jsonRpc } from 'viem/nonce';

export interface LocalFacilitator {
  server: HttpServer;
  /** Operations that take effect, but lose their reply. */
  loses: Set<string>;
  /** Whether a repeated settlement with the same Idempotency-Key waits for the first outcome and returns it. */
  keepsOutcomes: boolean;
  stop(): Promise<void>;
}

/** The official facilitator with its HTTP API, on a local EVM node. */
export async function startLocalFacilitator(anvil: Anvil): Promise<LocalFacilitator> {
  const rpcUrls = { default: { http: [anvil.url] } };
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({ id: anvil.chainId, name: 'local', nativeCurrency, rpcUrls });
  // Concurrent settlements must not share a nonce. The package's own nonce manager is shared by all nodes of a test
  // run.
  const nonceManager = createNonceManager({ source: jsonRpc() });
  const account = privateKeyToAccount(anvil.wallet(9).privateKey as `0x${string}`, { nonceManager });
  const client = createWalletClient({
    account,
    chain,
    transport: http(anvil.url),
    pollingInterval: 20,
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner(Object.assign(client, { address: account.address }) as never);
  const network: Network = `eip155:${anvil.chainId}`;
  const facilitator = new x402Facilitator()
    .register(network, new ExactEvmScheme(signer))
    .register(network, new UptoEvmScheme(signer))
    .register(network, new BatchSettlementEvmScheme(signer));
  const loses = new Set<string>();
  const outcomes = new Map<unknown, Promise<unknown>>();
  const server = await startHttpServer(async ({ path, body, headers }): Promise<HttpReply> => {
    if (path === '/supported') return { body: facilitator.getSupported() };
    const { paymentPayload, paymentRequirements } = JSON.parse(body) as {
      paymentPayload: PaymentPayload;
      paymentRequirements: PaymentRequirements;
    };
    const operation = path === '/settle' ? 'settle' : 'verify';
    const work = () => facilitator[operation](paymentPayload, paymentRequirements);
    const key = local.keepsOutcomes && operation === 'settle' ? headers['idempotency-key'] : undefined;
    const outcome = outcomes.get(key) ?? work();
    if (key !== undefined) outcomes.set(key, outcome);
    const result = await outcome;
    return loses.has(operation) ? { half: '{' } : { body: result };
  });
  const local = { server, loses, keepsOutcomes: false, stop: () => server.close() };
  return local;
}
