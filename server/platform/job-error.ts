/** Why a job cannot be done, as a human-readable message. `code` is permanent; another run would end the same way. */
export class JobError extends Error {
  override name = 'JobError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
