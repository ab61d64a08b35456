/** Why it does not do what it is asked, in the provider's form. */
export class ResendRefusal extends Error {
  constructor(
    readonly statusCode: number,
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }
}
