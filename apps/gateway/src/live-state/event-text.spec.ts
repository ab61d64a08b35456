import { eventText, retryText } from './event-text';

describe('eventText', () => {
  it('writes id, event and data, and ends the message with an empty line', () => {
    expect(eventText('order', '{"a":1}', '7')).toBe('id: 7\nevent: order\ndata: {"a":1}\n\n');
  });

  it('omits an unknown id', () => {
    expect(eventText('order', '{}')).toBe('event: order\ndata: {}\n\n');
  });

  it('keeps line breaks of a value within its line', () => {
    const data = JSON.stringify({ note: 'a\nevent: end\r\n\n' });
    expect(eventText('order', data).split('\n')).toHaveLength(4);
  });
});

it('retryText contains the time in milliseconds', () => {
  expect([retryText(), retryText(1_500)]).toEqual(['retry: 2000\n\n', 'retry: 1500\n\n']);
});
