export const stages = ['read', 'render', 'index', 'write', 'archive'] as const;

/** Progress of an export: counts work done, never time. */
export interface Progress {
  stage: (typeof stages)[number];
  done: number;
  total: number;
}
