/** A request that toncenter answers with `{"ok":false}`, and its status. */
export class ToncenterRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
