import type { SandboxKey } from '@tollbridge/ton';
import type { Address, Cell, MessageRelaxed } from '@ton/core';
import { walletId } from './genesis';
import type { TonChain } from './ton-chain';

const messageLifeS = 600;
const payFeesSeparately = 1;

/**
 * Returns the external message that makes a wallet v4R2 send these messages. It expires after ten minutes, or when the
 * wallet accepts another message.
 */
export async function signedWalletMessage(
  chain: TonChain,
  { key, address }: { key: SandboxKey; address: Address },
  messages: readonly MessageRelaxed[],
): Promise<Cell> {
  const core = await import('@ton/core');
  const answer = await chain.call(address.toRawString(), core.getMethodId('seqno'), []);
  const seqno = new core.TupleReader(answer.stack).readNumber();
  const request = core
    .beginCell()
    .storeUint(walletId, 32)
    .storeUint(chain.nowS + messageLifeS, 32)
    .storeUint(seqno, 32)
    // The opcode of a plain transfer.
    .storeUint(0, 8);
  for (const message of messages)
    request
      .storeUint(payFeesSeparately, 8)
      .storeRef(core.beginCell().store(core.storeMessageRelaxed(message)).endCell());
  const signature = key.sign(request.endCell().hash());
  const body = core.beginCell().storeBuffer(signature).storeBuilder(request).endCell();
  return core
    .beginCell()
    .store(core.storeMessage(core.external({ to: address, body })))
    .endCell();
}
