// Deploys the payment contract to TON, unless it exists there:
//
// node scripts/deploy-ton.mjs --dry-run
//   Prints the address, the code hash and a link for wallets.
// node scripts/deploy-ton.mjs <toncenterJsonRpcUrl> --key-file <path>
//   Signs with a wallet v4R2. The file contains its 24 words. Needs the development packages.
//
// Both commands need the built library: npx nx build onchain
import { parseArgs } from 'node:util';
import { runBuiltCommand } from './built-command.mjs';

const usage =
  'Usage: node scripts/deploy-ton.mjs --dry-run\n' +
  '   or: node scripts/deploy-ton.mjs <toncenterJsonRpcUrl> --key-file <path>';
const waitMs = 2_000;
const attempts = 30;

/** @param {string[]} args */
function parseCommandLine(args) {
  try {
    const options = { 'dry-run': { type: 'boolean' }, 'key-file': { type: 'string' } };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const isDryRun = values['dry-run'] === true;
    if (isDryRun && positionals.length === 0) return { isDryRun };
    if (!isDryRun && positionals.length === 1 && values['key-file'])
      return { isDryRun, endpoint: positionals[0], keyFile: values['key-file'] };
  } catch {
    // The error may quote an argument, which may be a key passed by mistake.
  }
  throw new Error(usage);
}

async function deploy({ endpoint, keyFile }, deployment) {
  const { Address, internal, SendMode, TonClient, WalletContractV4 } = await import('@ton/ton');
  const { mnemonicToPrivateKey, mnemonicValidate } = await import('@ton/crypto');
  const { readKeyFile } = await import('../dist/key-file.js');
  const words = readKeyFile(keyFile).trim().split(/\s+/);
  if (!(await mnemonicValidate(words)))
    throw new Error('The key file does not contain the words of a wallet');
  const client = new TonClient({
    endpoint,
    ...(process.env.TONCENTER_API_KEY && { apiKey: process.env.TONCENTER_API_KEY }),
  });
  const to = Address.parseRaw(deployment.address);
  if (await client.isContractDeployed(to)) return 'was already';
  const { publicKey, secretKey } = await mnemonicToPrivateKey(words);
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  const message = internal({
    to,
    value: deployment.valueNano,
    bounce: false,
    init: deployment.init,
    body: deployment.body,
  });
  const seqno = await wallet.getSeqno();
  await wallet.sendTransfer({ seqno, secretKey, messages: [message], sendMode: SendMode.PAY_GAS_SEPARATELY });
  for (let attempt = 0; attempt < attempts; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (await client.isContractDeployed(to)) return 'deployed';
  }
  throw new Error(`Not deployed yet. Look at ${deployment.friendlyAddress} before you try again.`);
}

await runBuiltCommand('ton/deployment.js', async ({ tonDeployment }) => {
  const commandLine = parseCommandLine(process.argv.slice(2));
  const deployment = await tonDeployment();
  const { friendlyAddress, address, codeHash, valueNano, link } = deployment;
  if (commandLine.isDryRun) {
    console.log(`address    ${friendlyAddress}\nraw        ${address}\ncode hash  ${codeHash}`);
    console.log(`nanotons   ${valueNano}\nlink       ${link}`);
  } else {
    const outcome = await deploy(commandLine, deployment);
    console.log(`Payment contract ${outcome} at ${friendlyAddress}`);
  }
});
