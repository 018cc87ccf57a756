// How a call to a model ends: with a reason, or with a failure.

export const endReasons = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'] as const;
export type EndReason = (typeof endReasons)[number];

/** How an answer ended; the numbers of tokens are absent when the server does not send them. */
export interface ModelEnd {
  reason: EndReason;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

export const modelFaults = [
  'ModelUnreachable',
  'ModelRefused',
  'ModelBusy',
  'ModelTimeout',
  'ModelBroken',
  'ModelCutOff',
  'ModelEmpty',
] as const;
export type ModelFault = (typeof modelFaults)[number];

/** The model failed. `detail` is for the log and holds no secret. */
export class ModelFailed extends Error {
  override name = 'ModelFailed';
  readonly code: ModelFault;
  readonly detail: string;

  constructor(code: ModelFault, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
  }
}
