/** What programs ask and what the kubelet leaves behind, and bytes before they are text. */
import { decodeText } from '../../../src/adapters/decode-text.ts'
import { parseDocument } from '../../../src/adapters/document.ts'
import { parseCpuCheckpoint } from '../../../src/adapters/kubelet/cpu-checkpoint.ts'
import { parseMemoryCheckpoint } from '../../../src/adapters/kubelet/memory-checkpoint.ts'
import { answers } from '../../../src/apps/cli/cpu/questions.ts'
import { hasHidden, visible } from '../../../src/core/visible.ts'
import { documentsFrom } from '../generate.ts'
import { asBytes, asText, type FuzzTarget } from '../target.ts'
import { documentsIn } from './seeds.ts'

const question = (name: keyof typeof answers): FuzzTarget => ({
  name: `cpu-${name}`,
  generate: documentsFrom(documentsIn(`examples/cpu/${name}.json`)),
  run: (input) =>
    void answers[name](parseDocument(asText(input), 'question.json'), 'question.json'),
})

const checkpoints = {
  cpu: { policyName: 'static', defaultCpuSet: '0-1', entries: { uid: { main: '2-3,5' } } },
  memory: {
    policyName: 'Static',
    machineState: { 0: { memoryMap: { memory: { systemReserved: 1 } } } },
    entries: { uid: { main: [{ numaAffinity: [0], type: 'memory', size: 1 }] } },
  },
}

const checkpoint = (
  name: keyof typeof checkpoints,
  parse: (text: string) => unknown,
): FuzzTarget => ({
  name: `${name}-checkpoint`,
  generate: documentsFrom([checkpoints[name]]),
  run: (input) => void parse(asText(input)),
  refuses: (error) => error instanceof SyntaxError, // told once by whoever watches the file
})

export const questions: readonly FuzzTarget[] = [
  question('assign'),
  question('hints'),
  question('merge'),
  checkpoint('cpu', parseCpuCheckpoint),
  checkpoint('memory', parseMemoryCheckpoint),
  {
    name: 'visible-text',
    generate: documentsFrom([{ '\u001B[2J': '\u202E\u009B31m' }]),
    run: (input) => {
      const text = decodeText(Buffer.from(asBytes(input)))
      if (hasHidden(visible(text))) throw new Error('something stays hidden')
    },
    refuses: (error) => (error as Error).message.startsWith('expected text'),
  },
]
