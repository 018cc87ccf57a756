// The JSON schema of docs.json, for editors: made from the schema that reads the file.
import { carrelVersion } from '../version.ts';

/** Where editors find the schema of this version, in the published package. */
export const schemaUrl = `https://unpkg.com/carrel@${carrelVersion}/build/docs.schema.json`;
