import { describe } from 'node:test'

import { testKeptDocument } from '../../test/kept-document.ts'
import { keepInMemory } from './kept-in-memory.ts'

void describe('a document kept in memory', () => {
  const kept = keepInMemory()
  testKeptDocument(() => kept)
})
