import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { minimise } from './minimise.ts'

type Asked = { readonly cpus?: string; readonly pods?: readonly number[]; readonly isOn?: boolean }

void describe('making a question small', () => {
  const asked: Asked = { cpus: '0-3,8,9', pods: [7, 40, 3], isOn: true }

  void test('leaves what the disagreement needs, and what is to stay', async () => {
    const hasLargePod = async (all: readonly Asked[]): Promise<boolean[]> =>
      all.map(({ pods = [] }) => pods.some((pod) => pod > 5))
    assert.deepEqual(await minimise(asked, { kept: ['isOn'], disagree: hasLargePod }), {
      pods: [6],
      isOn: false,
    })
  })

  void test('CPUs go by ranges', async () => {
    const hasEight = async (all: readonly Asked[]): Promise<boolean[]> =>
      all.map(({ cpus = '' }) => cpus.includes('8'))
    assert.deepEqual(await minimise(asked, { kept: [], disagree: hasEight }), { cpus: '8' })
  })

  void test('a question that is as small as can be stays', async () => {
    const never = async (all: readonly Asked[]): Promise<boolean[]> => all.map(() => false)
    assert.equal(await minimise(asked, { kept: [], disagree: never }), asked)
  })
})
