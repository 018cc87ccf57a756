// `api` in the frontmatter of a page whose author describes the operation by hand.
import { string, type Json } from './json.ts';

export interface Endpoint {
  method: string;
  /** As written: a path, or an absolute URL; both can have `{variables}`. */
  url: string;
}

/** What `api` in a page's frontmatter names: `POST /users`, `GET https://{region}.example.com/users`. */
export function writtenEndpoint({ api, openapi }: Readonly<Json>): Endpoint | undefined {
  if (openapi !== undefined) return undefined;
  const [, method, url] =
    /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|CONNECT)\s+(\/\S*|https?:\/\/\S+)$/i.exec(string(api)?.trim() ?? '') ??
    [];
  return method === undefined || url === undefined ? undefined : { method: method.toUpperCase(), url };
}
