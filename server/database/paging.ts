// Lists in pages: a query reads a row more than the page has, and a cursor is the position of the page's last row.
import { ApiError } from '../platform/errors.ts';

/** `rows` are those of a query with `limit + 1`. Without more rows there is no cursor. */
export function pageOf<Row>(rows: Row[], limit: number, position: (last: Row) => string): { page: Row[]; cursor?: string } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (last === undefined || rows.length <= limit) return { page };
  return { page, cursor: Buffer.from(position(last)).toString('base64url') };
}

/** What the groups of `pattern` capture in a position. Throws `ApiError` 400 `CursorInvalid`. */
export function readCursor(cursor: string, pattern: RegExp): string[] {
  const position = Buffer.from(cursor, 'base64url');
  const found = pattern.exec(position.toString());
  if (found && position.toString('base64url') === cursor) return found.slice(1);
  throw new ApiError('CursorInvalid', `The cursor "${cursor.slice(0, 100)}" is not valid. Start again without a cursor.`);
}
