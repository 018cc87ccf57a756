import { openIndex } from '../../search/index.ts';
import { once } from '../../search/once.ts';
import { load } from '../shared/loader.ts';

/** Opens the index in a folder of `_carrel`, once for search and Ask; after a failure the next call tries again. */
export const openSiteIndex = once((folder) => openIndex({ load: (name) => load<string>(`${folder}/${name}.js`) }));
