// The models that the server's own options name; those of sites are not checked.
import { checkModel } from '../../assistant/model/model-check.ts';
import { createEmbed } from '../../platform/embed.ts';
import { embeddingModelOf, type ServerOptions } from '../../platform/options.ts';
import { modelOfServer } from '../../sites/model-settings.ts';
import { examine, fail, ok, reasonOf, warn, type Finding } from './finding.ts';

/** Whether the server's own model answers; models of sites are not checked. */
export function checkServerModel(options: ServerOptions): Promise<Finding> {
  return examine('model', 15, async () => {
    const model = modelOfServer(options);
    if (!model) return ok('No model is set: answers quote the docs');
    const { state, detail } = await checkModel(model, options.privateHosts);
    const name = `The model "${model.model}" at ${model.baseUrl}`;
    if (state === 'ok') return ok(detail === undefined ? `${name} is available` : `${name} responds, but ${detail}`);
    if (state === 'unlisted')
      return warn(
        `${name} is not in the list of its server: ${detail}.`,
        'Set CARREL_MODEL to one of them, unless the server takes any name.',
      );
    if (state === 'rejected') return fail(`${name} rejects the key (${detail}).`, 'Correct CARREL_MODEL_KEY.');
    return warn(`${name} is unavailable (${detail}): answers quote the docs.`, 'Start its server, or correct CARREL_MODEL_URL.');
  });
}

/** Whether the embedding model gives a vector. */
export function checkEmbeddings(options: ServerOptions): Promise<Finding> {
  return examine('embeddings', 20, async () => {
    const model = embeddingModelOf(options);
    if (!model) return ok('No embedding model is set: search is by words');
    const name = `The embedding model "${model.model}" at ${model.url}`;
    try {
      const [vector] = await createEmbed(model)(['A page'], { timeout: 15_000 });
      return ok(`${name} is available: vectors of ${vector!.length} numbers`);
    } catch (error) {
      return warn(
        `${name} is unavailable (${reasonOf(error)}): exports get no vectors, and search is by words.`,
        'Start its server, or correct CARREL_EMBEDDINGS_URL, CARREL_EMBEDDINGS_MODEL and CARREL_EMBEDDINGS_KEY.',
      );
    }
  });
}
