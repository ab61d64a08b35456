/** An error in the provider's format. */
export class ResendRejection extends Error {
  constructor(
    readonly statusCode: number,
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }
}
