import type { Queryable } from './database.ts';

export interface Table {
  name: string;
  /** Of its primary key: what its rows are ordered by, alike in every database. */
  order: string[];
  /** Columns that number themselves. */
  counted: string[];
}

/** Our tables with the rows that a backup holds: each after those that it refers to. */
export async function readTables(database: Queryable): Promise<Table[]> {
  const rows = await database.query<{ name: string; order: string[]; counted: string[]; refers: string[] }>(`
    select c.relname as name,
      array(
        select format('%I', a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
        from pg_index i, unnest(i.indkey::int[]) with ordinality as k(number, position)
        join pg_attribute a on a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
        order by k.position
      ) as "order",
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as counted,
      array(
        select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as refers
    from pg_class c
    where c.relnamespace = to_regnamespace('carrel') and c.relkind = 'r' and c.relname not in ('migrations', 'counts', 'sessions')
    order by c.relname collate "C"
  `);
  const sorted: typeof rows = [];
  while (sorted.length < rows.length) {
    const next = rows.find(
      (row) => !sorted.includes(row) && row.refers.every((name) => sorted.some((earlier) => earlier.name === name)),
    );
    if (!next) throw new Error('Tables refer to each other in a circle.');
    sorted.push(next);
  }
  return sorted;
}
