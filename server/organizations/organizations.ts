import type { Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { createRecent } from '../platform/recent.ts';

export const plans = ['enterprise', 'standard'] as const;
type Plan = (typeof plans)[number];

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

const columns = 'id, name, plan, created_at as "createdAt"';

/** Answers from memory for at most a second; what this process changes, it sees at once. */
export function createOrganizations(database: Queryable, now: () => number): Organizations {
  const recent = createRecent(async (id) => {
    const [organization] = await database.query<Organization>(`select ${columns} from carrel.organizations where id = $1`, [id]);
    return organization;
  }, now);

  return {
    get: (id) => recent.get(id),

    list: () => database.query<Organization>(`select ${columns} from carrel.organizations order by id`),

    async create({ id, name, plan }) {
      const [organization] = await database.query<Organization>(
        `insert into carrel.organizations (id, name, plan, created_at) values ($1, $2, $3, $4)
         on conflict do nothing returning ${columns}`,
        [id, name, plan, new Date(now())],
      );
      recent.forget(id);
      if (organization) return organization;
      throw new ApiError(
        409,
        'OrganizationExists',
        `There is an organization "${id}" already. Choose another id, or change that one.`,
      );
    },

    async update(id, { name, plan }) {
      const [organization] = await database.query<Organization>(
        `update carrel.organizations set name = coalesce($2, name), plan = coalesce($3, plan) where id = $1 returning ${columns}`,
        [id, name ?? null, plan ?? null],
      );
      recent.forget(id);
      return organization;
    },
  };
}
