// Pages of a hosted site have a token as their key, which expires while a page stays open.

/** A server, as the settings name it. */
interface Server {
  /** An assistant key (`svc_dsc_…`), which is public, or the token of a hosted page (`page_…`). */
  key: string | undefined;
}

export interface ServerSettings<Named extends Server> {
  /** The server in the settings as they are now; undefined if they name none. */
  server: () => Named | undefined;
  /** Loads the settings again. */
  renew: () => Promise<void>;
}

/**
 * Sends a request to the server of the settings. They are loaded again before their token expires, and once where the server refuses their
 * key: if they then have another one, the request is sent again. Undefined if they do not name a server any more.
 */
export async function sendToServer<Named extends Server>(
  { server, renew }: ServerSettings<Named>,
  send: (server: Named) => Promise<Response>,
): Promise<Response | undefined> {
  if (expiresSoon(server()?.key)) await renew();
  const first = server();
  if (!first) return undefined;
  const response = await send(first);
  if (response.status !== 401) return response;
  await renew();
  const second = server();
  return second?.key === first.key ? response : second && send(second);
}

const minute = 60_000;

/** By the clock of this machine, which may be wrong: then the server refuses the token. */
function expiresSoon(key = ''): boolean {
  // No number for any other key, and that is not less.
  return Number(/^page_(\d+)/.exec(key)?.[1]) * 1000 < Date.now() + minute;
}
