import { notifyEmbedder } from './embedding';
import { pageData } from './page';

// Mocked, because the page itself needs a browser.
jest.mock('./page', () => ({ pageData: jest.fn(), onRendered: () => undefined }));

const shop = 'https://shop.example';
const state = { type: 'opened', amount: '1' };

/** Opens a page in a frame or a window. @returns its posted messages, each with its target */
function open({ name = `tollbridge ${shop}`, origins = [shop], isFramed = true, hasOpener = false }) {
  const posted: [event: unknown, target: string][] = [];
  const shower = { postMessage: ({ event }: any, target: string) => posted.push([event, target]) };
  const self: Record<string, unknown> = { name, opener: hasOpener ? shower : null };
  self['parent'] = isFramed ? shower : self;
  const clicks: ((event: object) => void)[] = [];
  Object.assign(globalThis, {
    window: self,
    document: {
      body: { offsetHeight: 700 },
      addEventListener: (_type: string, listener: (event: object) => void) => clicks.push(listener),
    },
    ResizeObserver: class {
      constructor(private readonly changed: () => void) {}
      observe(): void {
        this.changed();
      }
    },
  });
  jest.mocked(pageData).mockReturnValue({ embed: { origins, state } } as never);
  notifyEmbedder();
  const click = (link: object | null) => {
    const event = { target: { closest: () => link }, preventDefault: jest.fn() };
    for (const listener of clicks) listener(event);
    return event.preventDefault.mock.calls.length > 0;
  };
  return { posted, click };
}

// Packages of other test files in this process would detect a browser.
afterEach(() => {
  for (const name of ['window', 'document', 'ResizeObserver']) Reflect.deleteProperty(globalThis, name);
});

describe('notifyEmbedder', () => {
  it.each([
    ['its frame', {}],
    ['its window', { isFramed: false, hasOpener: true }],
  ])('notifies only the origin that shows the page in %s of state and height', (_title, where) => {
    expect(open(where).posted).toEqual([
      [state, shop],
      [{ type: 'resized', height: 700 }, shop],
    ]);
  });

  it.each([
    ['in a top-level page', { isFramed: false }],
    ['when the merchant does not allow the origin', { origins: ['https://other.example'] }],
    ['when the merchant allows none', { origins: [] }],
    ['in a frame without the name of embed.js', { name: shop }],
    ['to a wildcard origin', { name: 'tollbridge *', origins: [shop] }],
  ])('sends no message %s', (_title, where) => {
    expect(open(where).posted).toEqual([]);
  });

  it('reports that the payer returns, instead of navigating', () => {
    const { posted, click } = open({});
    const url = `${shop}/cart`;
    expect(click({ dataset: { return: 'canceled' }, href: url })).toBe(true);
    expect(posted.at(-1)).toEqual([{ ...state, type: 'closed', reason: 'canceled', url }, shop]);
    expect(click(null)).toBe(false);
  });
});
