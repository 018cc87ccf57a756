import type { Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { createOneSecondCache } from '../platform/one-second-cache.ts';

export const plans = ['enterprise', 'standard'] as const;
type Plan = (typeof plans)[number];

export interface Organization {
  id: string;
  name: string;
  /** Static export requires `enterprise`. */
  plan: Plan;
  createdAt: Date;
}

export type Organizations = ReturnType<typeof createOrganizations>;

const columns = 'id, name, plan, created_at as "createdAt"';

/** Caches an organization for at most a second; changes in this process are visible immediately. */
export function createOrganizations(database: Queryable, now: () => number) {
  const recent = createOneSecondCache(async (id) => {
    const [organization] = await database.query<Organization>(`select ${columns} from carrel.organizations where id = $1`, [id]);
    return organization;
  }, now);

  return {
    get: (id: string): Promise<Organization | undefined> => recent.get(id),

    list: (): Promise<Organization[]> => database.query<Organization>(`select ${columns} from carrel.organizations order by id`),

    /** Throws `ApiError` 409 `OrganizationExists`. */
    async create({ id, name, plan }: { id: string; name: string; plan: Plan }): Promise<Organization> {
      const [organization] = await database.query<Organization>(
        `insert into carrel.organizations (id, name, plan, created_at) values ($1, $2, $3, $4)
         on conflict do nothing returning ${columns}`,
        [id, name, plan, new Date(now())],
      );
      recent.forget(id);
      if (organization) return organization;
      throw new ApiError('OrganizationExists', `The organization "${id}" already exists. Use another ID, or change that one.`);
    },

    /** Undefined when the organization does not exist. */
    async update(id: string, { name, plan }: { name?: string; plan?: Plan }): Promise<Organization | undefined> {
      const [organization] = await database.query<Organization>(
        `update carrel.organizations set name = coalesce($2, name), plan = coalesce($3, plan) where id = $1 returning ${columns}`,
        [id, name ?? null, plan ?? null],
      );
      recent.forget(id);
      return organization;
    },
  };
}
