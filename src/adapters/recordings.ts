/** The recordings that a scenario plays: the one place where what a load names becomes a file that is read. */
import { isAbsolute, join } from 'node:path'

import { parseLoad, parseWrittenLoad } from '../apis/load.ts'
import { parseRecording, type Recordings } from '../apis/recording.ts'
import type { ScenarioFile } from '../apis/scenario-file.ts'
import { InvalidInput, naming } from '../core/errors.ts'
import type { Recording } from '../core/replay.ts'
import { readFileText } from './text-file.ts'

/** Every arm of a comparison has a copy. */
export const mostRowsTogether = 1_000_000
const mostFaults = 20

/** Names of files are as from the folder. Refuses loads that do not fit what was recorded, too. */
export function readRecordings(scenario: ScenarioFile, folder: string): Recordings {
  const recordings = new Map<string, Recording>()
  const faults = new Map<string, InvalidInput>()
  let rows = 0
  const read = (file: string): Recording => {
    const path = isAbsolute(file) ? file : join(folder, file)
    const recording = parseRecording(readFileText(path, { pipes: false }), path)
    rows += recording.figures.length
    if (rows <= mostRowsTogether) return recording
    throw new InvalidInput(
      `${path}: expected at most ${mostRowsTogether} rows in all recordings, got more`,
    )
  }
  for (const { place, text } of loadsOf(scenario)) {
    const load = parseWrittenLoad(text)
    if (load.kind !== 'recorded' || faults.has(load.file)) continue
    try {
      naming(place, () => {
        if (!recordings.has(load.file)) recordings.set(load.file, read(load.file))
        parseLoad(text, recordings)
      })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      faults.set(load.file, error)
      if (faults.size === mostFaults) break
    }
  }
  if (faults.size === 0) return recordings
  throw new InvalidInput([...faults.values()].map(({ message }) => message).join('\n'))
}

function* loadsOf({ workloads, phases }: ScenarioFile) {
  for (const { name, load } of workloads) yield { place: `workload ${name}: load`, text: load }
  for (const { name, loads } of phases) {
    for (const [workload, text] of Object.entries(loads)) {
      yield { place: `phase ${name}: load of ${workload}`, text }
    }
  }
}
