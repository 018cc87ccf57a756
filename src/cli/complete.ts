import { commands } from './main.ts';
import { optionRows, UsageError, type Command, defineCommand } from './usage.ts';

// Each script asks this program what may follow the words, and falls back to files. No word that is typed is evaluated.
const scripts: Record<string, string> = {
  bash: `_carrel() {
  local IFS=$'\\n'
  COMPREPLY=($(carrel complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _carrel carrel`,
  zsh: `#compdef carrel
_carrel() {
  local -a found
  found=("\${(@f)$(carrel complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')}")
  if [[ -n "$found[1]" ]]; then _describe carrel found; else _files; fi
}
compdef _carrel carrel`,
  fish: `complete -c carrel -a '(carrel complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};
const shells = Object.keys(scripts).join(', ');

/** `carrel complete`: its options and how it is used. */
const printScript = defineCommand({
  usage: 'complete SHELL',
  summary: `Print the completion script of a shell: ${shells}.`,
  options: {},
  examples: [
    ['complete bash >> ~/.bashrc', 'Complete commands and options in bash'],
    ['complete zsh >> ~/.zshrc', 'In zsh, below compinit'],
    ['complete fish > ~/.config/fish/completions/carrel.fish', 'In fish'],
  ],
  async run({ words: [shell = ''] }) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) throw new UsageError(`Unknown shell: ${shell}`, `Shells: ${shells}.`);
    console.log(script);
  },
});

export const command: typeof printScript = {
  ...printScript,
  /** Prints a script, or for the script (`complete -- WORDS`) what the last of the words may become: a name, a tab, what it does. */
  async start(args) {
    if (args[0] !== '--') return printScript.start(args);
    const [last = '', ...before] = args.slice(1).toReversed();
    for (const [name, description] of await candidates(before.toReversed())) {
      if (name.startsWith(last)) console.log(`${name}\t${description}`);
    }
    return 0;
  },
};

type Candidate = [name: string, description: string];

/** What may follow these words. Loads the command that they name, and no other. */
async function candidates([name, subname]: string[]): Promise<Candidate[]> {
  if (name === undefined || name === 'help') return Object.entries(commands).map(([key, { summary }]) => [key, summary]);
  const { command, subcommands } = Object.hasOwn(commands, name) ? await commands[name]!.load() : {};
  if (command) return optionsOf(command);
  const sub = subname === undefined ? undefined : subcommands?.[subname];
  return sub ? optionsOf(sub) : Object.entries(subcommands ?? {}).map(([key, { summary }]) => [key, summary]);
}

function optionsOf(command: Command): Candidate[] {
  return optionRows(command).map(({ name, description }) => [`--${name}`, description]);
}
