// Orders on the sandbox's networks, and the example of each family that pays with the official wallet library.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repository } from '../../local/directory.mjs';

const attemptMs = 60_000;
const keptChars = 4_000;

/** Returns a tenth of a token for the merchant, and a hundredth for the fee. @param {{ decimals: number }} token */
export function amountsOf({ decimals }) {
  const merchantAmount = 10n ** BigInt(decimals - 1);
  return { merchantAmount, feeAmount: merchantAmount / 10n };
}

/**
 * @param {any} sandbox the reply of GET /sandbox
 * @param {any} network one of its networks, or an EVM chain in the same form (`evmNetwork`)
 * @param {{ symbol: string, decimals: number }} token of the network
 * @returns {object} the body of a create-order that pays and settles in the token
 */
export function orderBody({ merchant }, { chain, accounts }, token) {
  const address = (role) => accounts.find((account) => account.role === role).address;
  const { merchantAmount, feeAmount } = amountsOf(token);
  return {
    pay_blockchain: chain,
    pay_token: token.symbol,
    settle_chain: chain,
    settle_token: token.symbol,
    merchant_address: address('merchant'),
    merchant_amount: String(merchantAmount),
    fee_receiver: address('fee_receiver'),
    fee_amount: String(feeAmount),
    merchant_id: merchant.merchantId,
    payer_address: address('payer'),
  };
}

/**
 * Pays an order in a separate process.
 * @param {{ family: string, gateway: string, order: any, isReported: boolean, onPaid?: () => void }} payment `onPaid`
 * runs when the wallet has seen the payment on the chain. Without `isReported`, the payer then ends before it submits
 * the hash
 * @returns {Promise<{ isPaid: boolean, output: string }>} resolves when the process has ended; ignores failures after
 * `onPaid`
 */
export async function payByExample({ family, gateway, order, isReported, onPaid = () => undefined }) {
  const program = join(repository, 'examples', family === 'evm' ? 'pay.mjs' : `pay-${family}.mjs`);
  const payer = spawn(process.execPath, [program], {
    cwd: repository,
    env: { ...process.env, TOLLBRIDGE_URL: gateway },
    timeout: attemptMs,
    killSignal: 'SIGKILL',
  });
  let [output, isPaid] = ['', false];
  for (const stream of [payer.stdout, payer.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-keptChars);
      if (!output.includes('paid by ')) return;
      if (!isPaid) onPaid();
      isPaid = true;
      if (!isReported) payer.kill('SIGKILL');
    });
  payer.stdin.on('error', () => undefined);
  payer.stdin.end(JSON.stringify(order));
  await once(payer, 'close');
  return { isPaid, output };
}
