// Files that tools keep in a docs folder for themselves: instructions for coding agents, prompts, parts of a changelog to come.
import { posix } from 'node:path';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';

/** Whether a Markdown file is one of a tool by its name. A page of the docs could have the same name, so it is reported. */
export function isToolFile(path: string): boolean {
  const name = posix.basename(path);
  return instructions.test(name) || templates.test(name) || fragments.test(path);
}

/** Reports an excluded file. */
export function toolFileProblem(path: string): Problem {
  return createProblem({
    kind: 'tool-file-excluded',
    page: path,
    message: `${path} looks like a file for a tool, such as a coding agent, not like a page. It is excluded.`,
    hint: `To include it, list it in the navigation of docs.json, or add a line "!${path}" to .mintignore.`,
  });
}

// Capital letters as the tools write them: `claude.md` may be a page about Claude.
const instructions =
  /^(?:(?:AGENTS?|CLAUDE|GEMINI|QWEN|WARP|CRUSH|SKILL)(?:\.(?:local|override))?|copilot-instructions|.+\.(?:instructions|prompt|chatmode))\.mdx?$/;

// What `llms.txt` is made from.
const templates = /^llms(?:-full)?\.mdx?$/;

// The folders of towncrier and of other tools that join fragments into a changelog.
const fragments = /(?:^|\/)(?:newsfragments|changelog\.d|changelog_unreleased)\/.+\.mdx?$/;
