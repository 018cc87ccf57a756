import { ExportError } from '../../integration/errors.ts';

/** The port of `npm start`, from PORT. Throws `ExportError` `CannotListen`. */
export function startPort(given = ''): number {
  const port = given === '' ? 4400 : Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new ExportError('CannotListen', `PORT is "${given}", which is no port: a whole number up to 65535.`);
}
