/** Why it does not do what it is asked, in the provider's form. */
export class AgentmailRefusal extends Error {
  constructor(
    readonly status: number,
    override readonly name: string,
    readonly code: string,
    message: string,
    readonly errors?: readonly { path: string[]; message: string }[],
  ) {
    super(message);
  }

  static invalid(...problems: [field: string, message: string][]): AgentmailRefusal {
    const errors = problems.map(([field, message]) => ({ path: [field], message }));
    return new AgentmailRefusal(
      400,
      'ValidationError',
      'validation_error',
      'The request is not valid.',
      errors,
    );
  }
}

export const notFound = (): AgentmailRefusal =>
  new AgentmailRefusal(404, 'NotFoundError', 'not_found', 'The resource was not found.');
