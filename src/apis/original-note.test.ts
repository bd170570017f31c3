import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { projectPod } from '../../test/keep-in.ts'
import { originalAnnotation } from './names.ts'
import { isForeignNote, originalNoteIn } from './original-note.ts'

const wrote = (manager: string, annotation = originalAnnotation) => ({
  manager,
  operation: 'Update',
  fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${annotation}`]: {} } } },
})
const text = '{"app":{"request":"3","limit":"100"}}'
const annotations = { [originalAnnotation]: text }

void describe('the note of original values', () => {
  each(
    [
      { name: 'there is none', metadata: {}, isForeign: false, note: undefined },
      {
        name: 'our controller wrote it',
        metadata: {
          annotations,
          managedFields: [wrote('kubectl', 'note'), wrote('mbcas-controller')],
        },
        isForeign: false,
        note: text,
      },
      {
        name: 'nobody is recorded',
        metadata: { annotations, managedFields: [{ manager: 'kubelet' }] },
        isForeign: true,
        note: undefined,
      },
      {
        name: 'another wrote it',
        metadata: { annotations, managedFields: [wrote('kubectl-annotate')] },
        isForeign: true,
        note: undefined,
      },
      {
        name: 'it came with a template, and ours wrote something else',
        metadata: {
          annotations,
          managedFields: [wrote('kube-controller-manager'), wrote('mbcas-controller', 'note')],
        },
        isForeign: true,
        note: undefined,
      },
    ],
    ({ metadata, isForeign, note }) => {
      assert.equal(isForeignNote(metadata), isForeign)
      assert.equal(originalNoteIn(metadata), note)
      const { annotations: kept } = projectPod({ metadata, spec: { containers: [] } }).metadata
      assert.equal(kept?.[originalAnnotation], note)
    },
  )
})
