import { fileURLToPath } from 'node:url';

/** The docs folder that `carrel init` writes. */
export const exampleFolder = fileURLToPath(new URL('../example', import.meta.url));
