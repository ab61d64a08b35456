import { startHttpServer, type Anvil, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { x402Facilitator } from '@x402/core/facilitator';
import type { Network, PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { nonceManager, privateKeyToAccount } from 'viem/accounts';

export interface LocalFacilitator {
  server: HttpServer;
  /** The reply is lost after the operation. */
  loses: Set<string>;
  stop(): Promise<void>;
}

/** The official facilitator with its HTTP API, on a local EVM node. */
export async function startLocalFacilitator(anvil: Anvil): Promise<LocalFacilitator> {
  const rpcUrls = { default: { http: [anvil.url] } };
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({ id: anvil.chainId, name: 'local', nativeCurrency, rpcUrls });
  // Concurrent settlements must not share a nonce.
  const account = privateKeyToAccount(anvil.wallet(9).privateKey as `0x${string}`, { nonceManager });
  const client = createWalletClient({
    account,
    chain,
    transport: http(anvil.url),
    pollingInterval: 20,
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner(Object.assign(client, { address: account.address }) as never);
  const network: Network = `eip155:${anvil.chainId}`;
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer));
  const loses = new Set<string>();
  const server = await startHttpServer(async ({ path, body }): Promise<HttpReply> => {
    if (path === '/supported') return { body: facilitator.getSupported() };
    const { paymentPayload, paymentRequirements } = JSON.parse(body) as {
      paymentPayload: PaymentPayload;
      paymentRequirements: PaymentRequirements;
    };
    const operation = path === '/settle' ? 'settle' : 'verify';
    const result = await facilitator[operation](paymentPayload, paymentRequirements);
    return loses.has(operation) ? { half: '{' } : { body: result };
  });
  return { server, loses, stop: () => server.close() };
}
