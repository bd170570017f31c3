import { type Command, Option } from 'commander'

import { armNames } from '../../../core/comparison/arm-names.ts'
import { addExamples, addSeedFlag, type Run, runs, wholeNumber } from './shared.ts'

export function addSimulate(program: Command, run: Run): void {
  const simulate = program
    .command('simulate')
    .description('Play a scenario with and without MBCAS, and compare: who was late, at what CPU')
    .option('-f, --file <file>', 'the scenario: a file, or a name in examples/scenarios')
    .option(
      '--random <count>',
      'instead of a file so many scenarios, drawn at random from --seed (1 if not said)',
      wholeNumber({ min: 1, max: 10_000 }),
    )
    .option('--apart', 'with --random: each workload in a namespace of its own')
    .option(
      '--compare <list>',
      `of ${armNames.join(', ')}, separated by commas; else as the scenario says, or with --random all`,
    )
    .addOption(
      new Option('-o, --output <format>', 'how to print the comparison')
        .choices(['table', 'json', 'html'])
        .default('table'),
    )
    .option('--out <file>', 'where to write it; else standard output')
    .option('--duration <duration>', 'simulated time; else as the scenario says')
  addSeedFlag(simulate)
  const file = 'examples/scenarios/noisy-neighbour.yaml'
  addExamples(
    runs(simulate, run),
    { command: `mbcas simulate -f ${file}`, about: 'a table' },
    {
      command: `mbcas simulate -f ${file} --compare static,mbcas -o html --out report.html`,
      about: 'a page with plots',
    },
    { command: 'mbcas simulate --random 20 --seed 7', about: 'over many scenarios' },
  )
}
