/** Everything that the fuzzer knows; who adds a parser or an endpoint adds it here. */
import type { FuzzTarget } from './target.ts'
import { api } from './targets/api.ts'
import { clients } from './targets/clients.ts'
import { files } from './targets/files.ts'
import { questions } from './targets/questions.ts'
import { servers } from './targets/servers.ts'
import { texts } from './targets/texts.ts'

export const targets: readonly FuzzTarget[] = [
  ...files,
  ...questions,
  ...texts,
  ...clients,
  ...servers,
  ...api,
]
