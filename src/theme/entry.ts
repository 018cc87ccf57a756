import { createApp } from 'astro/app/entrypoint';

// A whole page at once is what an export wants; streaming would only cost time.
export const app = createApp({ streaming: false });
