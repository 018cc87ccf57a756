// An authenticator without hardware: what browsers send for a passkey with ES256, as of https://www.w3.org/TR/webauthn-3/.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Changes {
  /** Of the page, instead of the one that asked. */
  origin?: string;
  /** The counter of signatures. */
  counter?: number;
  /** Whether the person has shown a finger or a code. @default true */
  verified?: boolean;
}

export interface SoftPasskey {
  id: string;
  /** The answer to options for a new passkey. */
  create(options: { challenge: string; rp: { id?: string } }, changes?: Changes): object;
  /** The answer to options for signing in. */
  get(options: { challenge: string; rpId?: string }, changes?: Changes): object;
}

export function softPasskey(origin: string): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(16);
  const id = rawId.toString('base64url');
  const common = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' };
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const authenticatorData = (host: string, flags: number, counter: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, more]);
  };
  const flagsOf = ({ verified = true }: Changes) => (verified ? 0b101 : 0b001);

  return {
    id,
    create({ challenge, rp }, changes = {}) {
      const { x, y } = publicKey.export({ format: 'jwk' });
      // { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]),
        Buffer.from(x!, 'base64url'),
        Buffer.from([0x22, 0x58, 32]),
        Buffer.from(y!, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, key]);
      const data = authenticatorData(rp.id!, flagsOf(changes) | 0b1000000, changes.counter ?? 0, credential);
      // { fmt: 'none', attStmt: {}, authData: data }
      const attestation = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      const client = clientData('webauthn.create', challenge, changes.origin ?? origin);
      const response = { clientDataJSON: client.toString('base64url'), attestationObject: attestation.toString('base64url') };
      return { ...common, response };
    },
    get({ challenge, rpId }, changes = {}) {
      const client = clientData('webauthn.get', challenge, changes.origin ?? origin);
      const data = authenticatorData(rpId!, flagsOf(changes), changes.counter ?? 0);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      };
      return { ...common, response };
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
