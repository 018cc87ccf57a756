/** The program that exports a docs folder: what `carrel export` is, up to the folder. The command line hands it in, since the server does not know it. */
export interface Exporter {
  command: string;
  args: string[];
}
