import type { Queryable } from '../database/database.ts';

export const plans = ['enterprise', 'standard'] as const;
export type Plan = (typeof plans)[number];

export interface Organization {
  id: string;
  name: string;
  /** Static export asks for `enterprise`. */
  plan: Plan;
  createdAt: Date;
}

export interface Organizations {
  get(id: string): Promise<Organization | undefined>;
  list(): Promise<Organization[]>;
  /** Throws `ApiError` 409 `OrganizationExists`. */
  create(organization: { id: string; name: string; plan: Plan }): Promise<Organization>;
  /** Undefined when there is none of that id. */
  update(id: string, change: { name?: string; plan?: Plan }): Promise<Organization | undefined>;
}

/** Answers from memory for at most a second; what this process changes, it sees at once. */
export function createOrganizations(_database: Queryable, _now: () => number): Organizations {
  throw new Error('Being written.');
}
