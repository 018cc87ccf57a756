/** The names that a machine has for itself, as URLs have them. */
export const localHosts = ['localhost', '127.0.0.1', '[::1]'];
