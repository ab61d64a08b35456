import { currencyDigits } from '@tollbridge/money';
import { EuropeanCentralBank } from '@tollbridge/rates';
import { ManualClock } from '@tollbridge/testing';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { ecbCurrencies } from './rate-table';
import { seedRates } from './seed-rates';
import { startRateSimulators, type RunningRateSimulators } from './start-rate-simulators';

let clock: ManualClock;
let harness: RunningRateSimulators;

beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  harness = await startRateSimulators(clock);
});
afterEach(() => harness?.close());

const request = () => fetch(`${harness.ecbUrl}/stats/eurofxref/eurofxref-daily.xml`);
const read = async () =>
  new Map(
    (await new EuropeanCentralBank(harness.ecbUrl).read(AbortSignal.timeout(10_000))).map((reading) => [
      reading.currency,
      reading,
    ]),
  );

type Node = Record<string, unknown>;
interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Converts the parser's ordered nodes, so that each element and attribute can be compared with the schema. */
function elementsOf(nodes: Node[]): Element[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ':@')!;
    if (name === '#text') return [];
    const children = node[name] as Node[];
    const text = children.map((child) => String(child['#text'] ?? '')).join('');
    const attributes = (node[':@'] ?? {}) as Record<string, string>;
    return [{ name, attributes, children: elementsOf(children), text: text.trim() }];
  });
}

describe('the ECB simulator', () => {
  it('publishes the elements of the documented schema, and nothing else', async () => {
    const reply = await request();
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/xml']);
    const file = await reply.text();
    expect(XMLValidator.validate(file)).toBe(true);
    expect(file.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<gesmes:Envelope ')).toBe(true);
    const parser = new XMLParser({
      preserveOrder: true,
      ignoreAttributes: false,
      attributeNamePrefix: '',
      parseAttributeValue: false,
      ignoreDeclaration: true,
    });
    const leaf = (name: string, text: string) => ({ name, attributes: {}, children: [], text });
    expect(elementsOf(parser.parse(file) as Node[])).toEqual([
      {
        name: 'gesmes:Envelope',
        attributes: {
          'xmlns:gesmes': 'http://www.gesmes.org/xml/2002-08-01',
          xmlns: 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref',
        },
        text: '',
        children: [
          leaf('gesmes:subject', 'Reference rates'),
          {
            name: 'gesmes:Sender',
            attributes: {},
            text: '',
            children: [leaf('gesmes:name', 'European Central Bank')],
          },
          {
            name: 'Cube',
            attributes: {},
            text: '',
            children: [
              {
                name: 'Cube',
                attributes: { time: '2026-11-20' },
                text: '',
                children: ecbCurrencies.map((currency) => ({
                  name: 'Cube',
                  attributes: { currency, rate: expect.stringMatching(/^\d+(\.\d+)?$/) },
                  children: [],
                  text: '',
                })),
              },
            ],
          },
        ],
      },
    ]);
  });

  it('publishes the rates of the table to the adapter', async () => {
    const readings = await read();
    expect([...readings.keys()].sort()).toEqual(
      [...ecbCurrencies.filter((code) => code !== 'USD'), 'EUR'].sort(),
    );
    for (const [currency, { perUsd, atMs }] of readings) {
      expect(currencyDigits(currency)).toBeDefined();
      expect(atMs).toBe(Date.UTC(2026, 10, 20, 15));
      // Six significant digits of two rates.
      expect(Number(perUsd) / Number(seedRates[currency]!.perUsd)).toBeCloseTo(1, 4);
    }
  });

  it('publishes a changed rate, and the day of rates that were made stale', async () => {
    const frozenAt = new Date(Date.UTC(2026, 10, 11, 9));
    expect(harness.rates.set({ currency: 'JPY', perUsd: '300', provider: 'ecb', frozenAt })).toBe(true);
    const readings = await read();
    expect(Number(readings.get('JPY')!.perUsd)).toBeCloseTo(300, 1);
    expect(readings.get('EUR')!.atMs).toBe(Date.UTC(2026, 10, 10, 15));
    harness.rates.set({ currency: 'EUR', perUsd: '1.84' });
    const doubled = await read();
    expect(Number(doubled.get('EUR')!.perUsd)).toBeCloseTo(1.84, 4);
    expect(Number(doubled.get('JPY')!.perUsd)).toBeCloseTo(300, 1);
    expect(doubled.get('EUR')!.atMs).toBe(Date.UTC(2026, 10, 20, 15));
  });

  it('returns 503 while it is down', async () => {
    harness.ecb.outage.mode = 'down';
    expect((await request()).status).toBe(503);
    await expect(read()).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
  });
});
