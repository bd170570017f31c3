import { Argument, type Command } from 'commander'

import { addExamples, type Run, runs } from './shared.ts'

export function addCompletion(
  program: Command,
  work: { readonly script: Run; readonly candidates: Run },
): void {
  const completion = program
    .command('completion')
    .description('Print a script that completes commands, flags and names in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
  addExamples(
    runs(completion, work.script),
    { command: 'source <(mbcas completion bash)', about: 'in ~/.bashrc' },
    { command: 'source <(mbcas completion zsh)', about: 'in ~/.zshrc, after compinit' },
    { command: 'mbcas completion fish | source', about: 'in ~/.config/fish/config.fish' },
  )
  // What those scripts and kubectl ask; the words come after --, so that none is taken for a flag.
  const candidates = program.command('__complete', { hidden: true }).argument('[words...]')
  runs(candidates, work.candidates)
}
