// Encodes the stack of a get method for toncenter's replies.
import type { TupleItem } from '@ton/core';
import { base64Of } from './toncenter-encoding';

/** Describes an entry of the stack. Slices are written as cells, as in toncenter. */
export function describeStackEntry(item: TupleItem): [string, unknown] {
  switch (item.type) {
    case 'int':
      return ['num', hexNumber(item.value)];
    case 'nan':
      return ['num', 'NaN'];
    case 'cell':
    case 'slice':
    case 'builder':
      return ['cell', { bytes: base64Of(item.cell), object: {} }];
    case 'tuple':
      return ['tuple', { '@type': 'tvm.tuple', elements: item.items.map(describeElement) }];
    case 'null':
      return ['list', { '@type': 'tvm.list', elements: [] }];
  }
}

const hexNumber = (value: bigint): string =>
  value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;

/** Describes an element of a tuple. */
function describeElement(item: TupleItem): object {
  switch (item.type) {
    case 'int':
    case 'nan': {
      const number = item.type === 'int' ? String(item.value) : 'NaN';
      return { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number } };
    }
    case 'cell':
    case 'builder':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: base64Of(item.cell) } };
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: base64Of(item.cell) } };
    case 'tuple': {
      const elements = item.items.map(describeElement);
      return { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } };
    }
    case 'null':
      return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } };
  }
}
