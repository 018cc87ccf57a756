export type ModelFault =
  'ModelUnreachable' | 'ModelRefused' | 'ModelBusy' | 'ModelTimeout' | 'ModelBroken' | 'ModelCutOff' | 'ModelEmpty';

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
