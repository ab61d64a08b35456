import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  loadStateInit,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';
import { createHmac, createPrivateKey, pbkdf2Sync, sign, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../exit-codes';
import { rpc } from './evm-chain';
import { callOf, type NetworkAccount, type NetworkWallet } from './network-wallet';

type Message = ReturnType<typeof internal>;

const timeoutMs = 30_000;
/** Wallet id of wallet v4 R2 on the basechain. */
const walletId = 698_983_191;
/** A time that never passes, because the sandbox clock may be ahead of this machine. */
const validUntil = 0xffff_ffff;
const jettonTransfer = 0x0f8a7ea5;
/** Attached coins of a transfer. The token contracts return the unused part. */
const attachedNanotons = 100_000_000n;

export async function openTonWallet(account: NetworkAccount): Promise<NetworkWallet> {
  const { rpcUrl } = account;
  const key = keyOf(account.privateKey);
  const own = Address.parse(account.address);
  const send = async (messages: Message[]): Promise<string> => {
    const { seqno } = await rpc<{ seqno: number }>(rpcUrl, 'getWalletInformation', {
      address: own.toString(),
    });
    const body = signedBody(key, seqno, messages);
    const message = beginCell()
      .store(storeMessage(external({ to: own, body })))
      .endCell();
    await rpc(rpcUrl, 'sendBoc', { boc: message.toBoc().toString('base64') });
    return transactionOf(rpcUrl, own, body);
  };
  return {
    pay: (call) =>
      send(
        callOf(call, 'ton').messages.map(({ address, amount, payload, stateInit }) =>
          internal({
            to: Address.parse(address),
            // In TON Connect the form of the address determines whether a message is bounceable.
            bounce: Address.parseFriendly(address).isBounceable,
            value: BigInt(amount),
            body: Cell.fromBase64(payload),
            init: stateInit === null ? undefined : loadStateInit(Cell.fromBase64(stateInit).beginParse()),
          }),
        ),
      ),
    transfer: async ({ address: master }, receiver, amountAtomic) => {
      const to = Address.parse(receiver);
      if (master === null) return send([internal({ to, bounce: false, value: amountAtomic })]);
      const body = beginCell()
        .storeUint(jettonTransfer, 32)
        .storeUint(0, 64)
        .storeCoins(amountAtomic)
        .storeAddress(to)
        .storeAddress(own)
        .storeBit(false)
        .storeCoins(1n)
        .storeBit(false)
        .endCell();
      const holder = await jettonWalletOf(rpcUrl, master, own);
      return send([internal({ to: holder, value: attachedNanotons, body })]);
    },
  };
}

/** Returns the transaction of the wallet that executed this body. @throws CommandError */
async function transactionOf(rpcUrl: string, wallet: Address, body: Cell): Promise<string> {
  const wanted = body.hash().toString('base64');
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(200)) {
    const newest = await rpc<{ transaction_id: { hash: string }; in_msg: { body_hash?: string } }[]>(
      rpcUrl,
      'getTransactions',
      { address: wallet.toString(), limit: 10 },
    );
    const own = newest.find(({ in_msg: message }) => message.body_hash === wanted);
    if (own) return Buffer.from(own.transaction_id.hash, 'base64').toString('hex');
  }
  throw new CommandError(`The wallet has made no transaction after ${timeoutMs / 1_000} s.`);
}

/** Returns a signed message body for wallet v4 R2. */
function signedBody(key: KeyObject, seqno: number, messages: readonly Message[]): Cell {
  const request = beginCell()
    .storeUint(walletId, 32)
    .storeUint(validUntil, 32)
    .storeUint(seqno, 32)
    // Operation 0 sends the messages.
    .storeUint(0, 8);
  for (const message of messages)
    request
      .storeUint(SendMode.PAY_GAS_SEPARATELY, 8)
      .storeRef(beginCell().store(storeMessageRelaxed(message)).endCell());
  const signature = sign(null, request.endCell().hash(), key);
  return beginCell().storeBuffer(signature).storeBuilder(request).endCell();
}

/** Derives the key of a TON mnemonic, which differs from BIP-39. */
function keyOf(mnemonic: string): KeyObject {
  const entropy = createHmac('sha512', mnemonic).digest();
  const seed = pbkdf2Sync(entropy, 'TON default seed', 100_000, 64, 'sha512').subarray(0, 32);
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
}

/** Returns the jetton wallet of an account. @throws CommandError */
async function jettonWalletOf(rpcUrl: string, master: string, owner: Address): Promise<Address> {
  const slice = beginCell().storeAddress(owner).endCell().toBoc().toString('base64');
  const { exit_code: code, stack } = await rpc<{ exit_code: number; stack: [string, { bytes: string }][] }>(
    rpcUrl,
    'runGetMethod',
    { address: master, method: 'get_wallet_address', stack: [['tvm.Slice', slice]] },
  );
  if (code !== 0 || !stack[0]) throw new CommandError(`${master} is not a token of this network.`);
  return Cell.fromBase64(stack[0][1].bytes).beginParse().loadAddress();
}
