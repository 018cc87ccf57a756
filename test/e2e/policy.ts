/** The content security policy of an air-gapped export. */
export const airGapped = "default-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:";
