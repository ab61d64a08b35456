import { Cell } from '@ton/core';
import {
  tonCompiler,
  tonPaymentCode,
  tonPaymentCodeHash,
  tonSettlementCode,
  tonSettlementCodeHash,
} from '../generated/ton-pay';
import { compileTolk } from './testing/jettons';

describe('Code of the contracts for TON', () => {
  it('equals the compiled sources', async () => {
    const [payment, settlement] = await Promise.all([compileTolk('payment'), compileTolk('settlement')]);

    expect(payment.toBoc().equals(Cell.fromBase64(tonPaymentCode).toBoc())).toBe(true);
    expect(settlement.toBoc().equals(Cell.fromBase64(tonSettlementCode).toBoc())).toBe(true);
  });

  it('has the hashes that nodes report', () => {
    expect(Cell.fromBase64(tonPaymentCode).hash().toString('hex')).toBe(tonPaymentCodeHash);
    expect(Cell.fromBase64(tonSettlementCode).hash().toString('hex')).toBe(tonSettlementCodeHash);
    expect(tonCompiler).toBe('tolk 1.3.0');
  });

  it('never changes the code or data of the payment contract, or libraries', async () => {
    const { runTolkCompiler } = await import('@ton/tolk-js');
    const { readFileSync } = await import('node:fs');
    const { join } = await import('node:path');
    for (const name of ['payment', 'settlement']) {
      const result = await runTolkCompiler({
        entrypointFileName: `${name}.tolk`,
        fsReadCallback: (path) => readFileSync(join(__dirname, '../../ton/contracts', path), 'utf8'),
      });
      if (result.status === 'error') throw new Error(result.message);
      expect(result.fiftCode).not.toMatch(/SETCODE|SETLIBCODE|CHANGELIB|ACCEPT|SETGASLIMIT/);
      if (name === 'payment') expect(result.fiftCode).not.toMatch(/c4 POP|POPROOT/);
    }
  });
});
