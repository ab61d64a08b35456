import type { FastifyReply } from 'fastify';
import { EventStream, maxWaitingBytes } from './event-stream';
import { eventText } from './event-text';

/** A fake of the Fastify reply and its connection. */
function openStream(clientHas?: string) {
  const raw = {
    destroyed: false,
    writableEnded: false,
    writableLength: 0,
    written: '',
    write: (text: string) => void (raw.written += text),
    destroySoon: () => void (raw.writableEnded = true),
    destroy: () => void (raw.destroyed = true),
    once: jest.fn(),
    setTimeout: jest.fn(),
  };
  const reply = {
    raw: { socket: raw, emit: jest.fn(), end: jest.fn() },
    hijack: jest.fn(),
    getHeaders: () => ({ 'x-request-id': 'req_1' }),
    send: jest.fn(),
  };
  const hooks = {
    isAlone: jest.fn(() => true),
    onOpened: jest.fn(),
    onClosed: jest.fn(),
    onMessage: jest.fn(),
    onSlowReader: jest.fn(),
  };
  const stream = new EventStream(reply as unknown as FastifyReply, '192.0.2.1', clientHas, hooks);
  const show = (id: string, isFinal = false) =>
    stream.onState({ id, json: '{}', isFinal, readAgainAtMs: undefined }, eventText('order', '{}', id));
  return { raw, reply, hooks, stream, show };
}

describe('EventStream', () => {
  it('writes heartbeats until the end of its lifetime of 10 minutes, then asks the client to reconnect', () => {
    const { raw, stream, show } = openStream();
    show('1');
    raw.written = '';
    for (let beat = 0; beat < 39; beat++) stream.beat();
    expect([raw.written, raw.writableEnded]).toEqual([':\n\n'.repeat(39), false]);
    stream.beat();
    expect([raw.written.slice(39 * 3), raw.writableEnded]).toEqual(['retry: 2000\n\n', true]);
  });

  it('writes each state once', () => {
    const { raw, hooks, show } = openStream();
    for (const id of ['1', '1', '2', '2']) show(id);
    expect(raw.written.match(/^id: .*$/gm)).toEqual(['id: 1', 'id: 2']);
    expect(hooks.onOpened).toHaveBeenCalledTimes(1);
    expect(hooks.onMessage).toHaveBeenCalledTimes(2);
  });

  it('ends an open stream when its known state becomes final', () => {
    const { raw, show } = openStream();
    show('1');
    raw.written = '';
    show('1', true);
    expect([raw.written, raw.writableEnded]).toEqual([
      'id: 1\nevent: end\ndata: {"reason":"final"}\n\n',
      true,
    ]);
  });

  it('destroys the connection of a client with more unsent bytes than the limit', () => {
    const { raw, hooks, show } = openStream();
    show('1');
    raw.writableLength = maxWaitingBytes;
    show('2');
    expect([raw.destroyed, hooks.onSlowReader.mock.calls.length]).toEqual([false, 0]);
    raw.writableLength = maxWaitingBytes + 1;
    show('3');
    expect([raw.destroyed, hooks.onSlowReader.mock.calls.length]).toEqual([true, 1]);
    expect(raw.written).not.toContain('id: 3');
  });

  it('writes nothing after its end', () => {
    const { raw, stream, show } = openStream();
    show('1', true);
    const { written } = raw;
    show('2');
    stream.beat();
    stream.stop();
    expect(raw.written).toBe(written);
  });

  it('ends when its resource cannot be read any more', () => {
    const { raw, stream, show } = openStream();
    show('1');
    stream.onFailure(new Error('gone'));
    expect(raw.writableEnded).toBe(true);
  });

  it('rejects its request once when another request waits on the connection', () => {
    const { raw, reply, hooks, show } = openStream();
    hooks.isAlone.mockReturnValue(false);
    show('1');
    show('2');
    expect(reply.send).toHaveBeenCalledTimes(1);
    expect(raw.written).toBe('');
    expect(hooks.onOpened).not.toHaveBeenCalled();
  });
});
