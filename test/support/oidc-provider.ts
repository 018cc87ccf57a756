import type { RequestListener } from 'node:http';
import Provider, { type ClientMetadata } from 'oidc-provider';

interface Given {
  issuer: string;
  /** Of the server whose client it is. */
  publicUrl: string;
  client: ClientMetadata;
  /** Who signs in without a question, and the claims of all people. */
  current(): { id: string; claims: Record<string, Record<string, unknown>> };
}

/** A whole provider of OpenID Connect, which answers the requests to `issuer`. */
export function oidcProvider({ issuer, publicUrl, client, current }: Given): RequestListener {
  const provider = new Provider(issuer, {
    clients: [
      {
        ...client,
        redirect_uris: [`${publicUrl}/v1/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/dashboard`],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...current().claims[id] }) }),
    async loadExistingGrant(context) {
      const { client: of, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({ clientId: of!.clientId, accountId: session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    cookies: { keys: ['a key of the tests'] },
  });
  const answer = provider.callback();
  return (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void answer(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: current().id } });
  };
}
