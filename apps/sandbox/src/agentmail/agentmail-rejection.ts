/** An error in the provider's format. */
export class AgentmailRejection extends Error {
  constructor(
    readonly status: number,
    override readonly name: string,
    readonly code: string,
    message: string,
    readonly errors?: readonly { path: string[]; message: string }[],
  ) {
    super(message);
  }

  static invalid(...problems: [field: string, message: string][]): AgentmailRejection {
    const errors = problems.map(([field, message]) => ({ path: [field], message }));
    return new AgentmailRejection(
      400,
      'ValidationError',
      'validation_error',
      'The request is not valid.',
      errors,
    );
  }
}

export const notFound = (): AgentmailRejection =>
  new AgentmailRejection(404, 'NotFoundError', 'not_found', 'The resource was not found.');
