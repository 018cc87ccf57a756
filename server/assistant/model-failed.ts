export type ModelFault =
  'ModelUnreachable' | 'ModelRefused' | 'ModelBusy' | 'ModelTimeout' | 'ModelBroken' | 'ModelCutOff' | 'ModelEmpty';

/** The model failed. `message` is for readers and holds nothing from inside; `detail` is for the log and holds no secret. */
export class ModelFailed extends Error {
  override name = 'ModelFailed';
  readonly code: ModelFault;
  readonly detail: string;

  constructor(code: ModelFault, detail: string, options?: ErrorOptions) {
    super(messages[code], options);
    this.code = code;
    this.detail = detail;
  }
}

const messages: Record<ModelFault, string> = {
  ModelUnreachable: 'The model that writes the answers cannot be reached. Ask again in a moment.',
  ModelRefused:
    'The model that writes the answers did not accept the question. Whoever runs this site can find the reason in its log.',
  ModelBusy: 'The model that writes the answers is busy. Ask again in a moment.',
  ModelTimeout: 'The model that writes the answers took too long. Ask again in a moment.',
  ModelBroken: 'The model that writes the answers answered with something that is no answer. Ask again in a moment.',
  ModelCutOff: 'The answer broke off before its end. Ask again.',
  ModelEmpty: 'The model gave no answer. Ask in other words.',
};
