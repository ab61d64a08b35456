/** A rejected request. The reply has toncenter's `{"ok":false}` and this status. */
export class ToncenterRejection extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
