/** A message of a stream of server-sent events (HTML Living Standard, section 9.2). */
export interface ParsedEvent {
  id: string | undefined;
  event: string;
  data: string;
}

// A state has a few kilobytes. Streams of this API never send longer messages.
const longestMessage = 1_000_000;

/** Parses a stream that arrives in parts of any size. */
export class EventParser {
  /** Reconnection delay in milliseconds, as requested by the server. */
  retryMs: number | undefined;
  private rest = '';
  private id: string | undefined;
  private event = '';
  private data: string[] = [];
  private length = 0;

  /** @returns the messages that are complete with this part @throws RangeError for a message that is too long */
  push(text: string): ParsedEvent[] {
    const found: ParsedEvent[] = [];
    // A CR at the end may be the first half of a CRLF line break.
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop()!;
    if (this.rest.length + this.length > longestMessage)
      throw new RangeError('A message of the stream is too long.');
    for (const line of lines) {
      const message = this.takeLine(line);
      if (message) found.push(message);
    }
    return found;
  }

  private takeLine(line: string): ParsedEvent | undefined {
    if (line === '') return this.complete();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const text = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.event = text;
    if (name === 'id' && !text.includes('\0')) this.id = text;
    if (name === 'retry' && /^\d{1,9}$/.test(text)) this.retryMs = Number(text);
    if (name === 'data') {
      this.data.push(text);
      this.length += text.length;
    }
    return undefined;
  }

  private complete(): ParsedEvent | undefined {
    const { id, event, data } = this;
    this.event = '';
    this.data = [];
    this.length = 0;
    return data.length > 0 ? { id, event: event || 'message', data: data.join('\n') } : undefined;
  }
}
