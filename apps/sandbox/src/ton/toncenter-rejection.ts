/** A rejected request: toncenter's `{"ok":false}` and its status. */
export class ToncenterRejection extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
