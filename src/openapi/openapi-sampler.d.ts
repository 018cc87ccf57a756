declare module 'openapi-sampler' {
  /** An example value of a schema, or XML text with `format: 'xml'`. Throws where a reference is broken. */
  export function sample(
    schema: unknown,
    options?: {
      skipReadOnly?: boolean;
      skipWriteOnly?: boolean;
      quiet?: boolean;
      maxSampleDepth?: number;
      format?: 'json' | 'xml';
    },
    specification?: unknown,
  ): unknown;
}
