import { createApp } from 'astro/app/entrypoint';

// An export needs whole pages; streaming would only cost time.
export const app: ReturnType<typeof createApp> = createApp({ streaming: false });
