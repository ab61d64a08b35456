import type { Address, Cell, Slice } from '@ton/core';
import { orderIdToBytes16, orderIdToUuid } from '../payment-order';
import { loadTonCore } from './load';

/**
 * A jetton. Its master derives the address of a wallet from the wallet's code (given by hash and depth) and initial
 * data. The data consist of `leadingZeroBits` zeros, the owner, the master, and the code if `hasCodeRef` is set.
 */
export interface TonJetton {
  /** Raw form. */
  master: string;
  /** Hash of the code's root cell, 64 hexadecimal digits. For code in a library, the hash of the library cell. */
  walletCodeHash: string;
  walletCodeDepth: number;
  leadingZeroBits: number;
  hasCodeRef: boolean;
}

/** The order in the form that the payment contract accepts. Addresses are raw, and amounts are in the smallest unit. */
export interface TonOrder {
  /** UUID. */
  orderId: string;
  /** The last Unix second when the order can be paid. */
  deadline: bigint;
  /** Symbols of at most 127 bytes. */
  tokenIn: string;
  tokenOut: string;
  amountIn: bigint;
  /** Null for the native coin. */
  jetton: TonJetton | null;
  merchant: string;
  merchantAmount: bigint;
  /** Null is allowed if the fee is zero. */
  feeReceiver: string | null;
  feeAmount: bigint;
}

const maxSymbolBytes = 127;

/**
 * Encodes the order as the cell of the payer's message. Every order has exactly one encoding.
 * @throws RangeError or Error for a value that does not fit its field
 */
export async function encodeTonOrder(order: TonOrder): Promise<Cell> {
  const { Address, beginCell } = await loadTonCore();
  const receivers = beginCell()
    .storeAddress(Address.parseRaw(order.merchant))
    .storeAddress(order.feeReceiver === null ? null : Address.parseRaw(order.feeReceiver));
  return beginCell()
    .storeUint(BigInt(orderIdToBytes16(order.orderId)), 128)
    .storeUint(order.deadline, 64)
    .storeCoins(order.amountIn)
    .storeCoins(order.merchantAmount)
    .storeCoins(order.feeAmount)
    .storeRef(await encodeSymbol(order.tokenIn))
    .storeRef(await encodeSymbol(order.tokenOut))
    .storeRef(receivers.endCell())
    .storeMaybeRef(order.jetton && (await encodeTonJetton(order.jetton)))
    .endCell();
}

/** Returns the order's identity as 64 hexadecimal digits. It determines the address of the order's contract. */
export async function hashTonOrder(order: TonOrder): Promise<string> {
  return (await encodeTonOrder(order)).hash().toString('hex');
}

/** Decodes the order in an untrusted cell. Returns undefined unless the cell is the encoding of an order. */
export async function decodeTonOrder(cell: Cell): Promise<TonOrder | undefined> {
  try {
    const order = readOrder(cell);
    const encoded = await encodeTonOrder(order);
    return encoded.hash().equals(cell.hash()) ? order : undefined;
  } catch {
    return undefined;
  }
}

async function encodeSymbol(symbol: string): Promise<Cell> {
  const { beginCell } = await loadTonCore();
  const bytes = Buffer.from(symbol, 'utf8');
  if (bytes.length > maxSymbolBytes)
    throw new RangeError(`A token symbol has at most ${maxSymbolBytes} bytes`);
  return beginCell().storeBuffer(bytes).endCell();
}

/** Encodes the description of a jetton as a separate cell, which is part of the order. */
export async function encodeTonJetton(jetton: TonJetton): Promise<Cell> {
  const { Address, beginCell } = await loadTonCore();
  return beginCell()
    .storeAddress(Address.parseRaw(jetton.master))
    .storeBuffer(Buffer.from(jetton.walletCodeHash, 'hex'), 32)
    .storeUint(jetton.walletCodeDepth, 16)
    .storeUint(jetton.leadingZeroBits, 8)
    .storeBit(jetton.hasCodeRef)
    .endCell();
}

function readOrder(cell: Cell): TonOrder {
  const root = cell.beginParse();
  const id = root.loadUintBig(128).toString(16).padStart(32, '0');
  const deadline = root.loadUintBig(64);
  const [amountIn, merchantAmount, feeAmount] = [root.loadCoins(), root.loadCoins(), root.loadCoins()];
  const [tokenIn, tokenOut] = [readSymbol(root.loadRef()), readSymbol(root.loadRef())];
  const receivers = root.loadRef().beginParse();
  const [merchant, feeReceiver] = [raw(receivers.loadAddress()), receivers.loadMaybeAddress()];
  const jetton = root.loadMaybeRef();
  return {
    orderId: orderIdToUuid(`0x${id}`),
    deadline,
    tokenIn,
    tokenOut,
    amountIn,
    jetton: jetton && readJetton(jetton.beginParse()),
    merchant,
    merchantAmount,
    feeReceiver: feeReceiver && raw(feeReceiver),
    feeAmount,
  };
}

const readJetton = (slice: Slice): TonJetton => ({
  master: raw(slice.loadAddress()),
  walletCodeHash: slice.loadBuffer(32).toString('hex'),
  walletCodeDepth: slice.loadUint(16),
  leadingZeroBits: slice.loadUint(8),
  hasCodeRef: slice.loadBit(),
});

function readSymbol(cell: Cell): string {
  const slice = cell.beginParse();
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
    slice.loadBuffer(slice.remainingBits / 8),
  );
}

const raw = (address: Address): string => address.toRawString();
