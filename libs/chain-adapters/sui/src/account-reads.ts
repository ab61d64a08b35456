import { UnreadableReply, readCount, readFields } from '@tollbridge/http';
import { BcsReader, canonicalMoveType, type SuiCoin } from '@tollbridge/onchain/sui';
import type { SuiNode } from './sui-node';
import { pageInfoFields, pageSize, readPage, readType, type Page } from './wire';
import { readAddress, readAtomic, readBytes, readDigest } from './wire-fields';

/** @param coinType canonical */
export function readBalance(node: SuiNode, owner: string, coinType: string): Promise<bigint> {
  const body = 'address(address: $owner) { balance(coinType: $coinType) { coinType { repr } totalBalance } }';
  return node.ask(
    { declared: '$owner: SuiAddress!, $coinType: String!', body },
    { owner, coinType },
    (data) => {
      const { balance } = readFields(data['address'], 'address');
      const fields = readFields(balance, 'balance');
      if (readType(fields['coinType'], 'balance') !== coinType)
        throw new UnreadableReply('the balance is of another coin');
      return readAtomic(fields['totalBalance'], 'totalBalance');
    },
  );
}

/** Returns the price in MIST per unit of gas. */
export const readGasPrice = (node: SuiNode): Promise<bigint> =>
  node.ask({ body: 'epoch { referenceGasPrice }' }, {}, ({ epoch }) =>
    readAtomic(readFields(epoch, 'epoch')['referenceGasPrice'], 'referenceGasPrice'),
  );

// 250 coins, the maximum of `chooseSuiCoins`.
const maxCoinPages = 5;

/**
 * Returns coins of an account from its 250 largest ones. Only coins that transactions can reference by version are
 * included, so coins that consensus sequences (`ConsensusAddressOwner`) are omitted.
 * @param coinType canonical
 */
export async function readCoins(node: SuiNode, owner: string, coinType: string): Promise<SuiCoin[]> {
  const type = canonicalMoveType(`0x2::coin::Coin<${coinType}>`);
  const body = `address(address: $owner) { objects(first: ${pageSize}, after: $cursor, filter: { type: $type }) {
    ${pageInfoFields} nodes { address version digest owner { __typename } contents { type { repr } bcs } } } }`;
  const coins: SuiCoin[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxCoinPages; page++) {
    const read: Page<SuiCoin | null> = await node.ask(
      { declared: '$owner: SuiAddress!, $type: String!, $cursor: String', body },
      { owner, type, cursor },
      ({ address }) =>
        readPage(readFields(address, 'address')['objects'], 'objects', (item, name) =>
          readCoin(item, name, type),
        ),
    );
    coins.push(...read.items.filter((coin) => coin !== null));
    cursor = read.nextCursor;
    if (cursor === null) break;
  }
  return coins;
}

function readCoin(value: unknown, name: string, type: string): SuiCoin | null {
  const fields = readFields(value, name);
  const contents = readFields(fields['contents'], `${name}.contents`);
  if (readType(contents['type'], name) !== type)
    throw new UnreadableReply(`${name} is not the requested object`);
  const objectId = readAddress(fields['address'], `${name}.address`);
  const coin = new BcsReader(readBytes(contents['bcs'], `${name}.bcs`));
  if (coin.address() !== objectId) throw new UnreadableReply(`${name} is not the requested coin`);
  const balanceAtomic = coin.u64();
  coin.end();
  if (readFields(fields['owner'], `${name}.owner`)['__typename'] !== 'AddressOwner') return null;
  return {
    objectId,
    version: BigInt(readCount(fields['version'], `${name}.version`)),
    digest: readDigest(fields['digest'], `${name}.digest`),
    balanceAtomic,
  };
}
