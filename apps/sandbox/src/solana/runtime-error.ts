import type { TransactionErrorJson } from './transaction-meta';

/**
 * Converts Rust's debug format of a transaction error to the JSON of a node: `InstructionError(0, Custom(1))` becomes
 * `{"InstructionError": [0, {"Custom": 1}]}`.
 */
export function toErrorJson(debug: string): TransactionErrorJson {
  const parser = new DebugParser(debug);
  return parser.read() as TransactionErrorJson;
}

class DebugParser {
  private readonly tokens: string[];
  private at = 0;

  constructor(debug: string) {
    this.tokens = debug.match(/\w+|"(?:[^"\\]|\\.)*"|[(){},:]/g) ?? [];
  }

  read(): unknown {
    const token = this.tokens[this.at++] ?? '';
    if (/^\d+$/.test(token)) return Number(token);
    if (token.startsWith('"')) return token.slice(1, -1);
    if (this.tokens[this.at] === '(') return { [token]: this.tuple() };
    if (this.tokens[this.at] === '{') return { [token]: this.fields() };
    return token;
  }

  /** Returns a single value as it is, and several values as a list. */
  private tuple(): unknown {
    const values: unknown[] = [];
    this.at++;
    while (!this.isAt(')')) {
      values.push(this.read());
      if (this.tokens[this.at] === ',') this.at++;
    }
    this.at++;
    return values.length === 1 ? values[0] : values;
  }

  private fields(): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    this.at++;
    while (!this.isAt('}')) {
      const name = this.tokens[this.at++]!;
      this.at++;
      fields[name] = this.read();
      if (this.tokens[this.at] === ',') this.at++;
    }
    this.at++;
    return fields;
  }

  private isAt(token: string): boolean {
    return this.at >= this.tokens.length || this.tokens[this.at] === token;
  }
}
