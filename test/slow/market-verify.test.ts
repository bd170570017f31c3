/** `mbcas market verify`: what `clear` printed is right, and anything else is not. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

import { stringify } from 'yaml'

import type { MarketResult } from '../../src/apis/market-file.ts'
import { each } from '../each.ts'
import { mbcas, type Ran } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mbcas-verify-'))
after(() => rmSync(folder, { recursive: true }))

/** Each test waits for a process of its own. */
const together = { concurrency: 4 }
const market = join('examples', 'markets', 'short-node.yaml')

type Flags = Readonly<Record<string, string>>
const args = (flags: Flags): string[] =>
  Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])

const printed = new Map<string, Promise<string>>()

/** Started once for the same flags. */
async function clear(flags: Flags, format = 'json'): Promise<string> {
  const key = `${format} ${args(flags).join(' ')}`
  const earlier = printed.get(key) ?? startClear(flags, format)
  printed.set(key, earlier)
  return earlier
}

async function startClear(flags: Flags, format: string): Promise<string> {
  const ran = await mbcas(['market', 'clear', '-f', market, '-o', format, ...args(flags)])
  assert.deepEqual({ code: ran.code, stderr: ran.stderr }, { code: 0, stderr: '' })
  return ran.stdout
}

const verify = async (flags: Flags, result: string): Promise<Ran> =>
  mbcas(['market', 'verify', '-f', market, '--result', '-', ...args(flags)], { input: result })

function assertRight(ran: Ran): void {
  const stdout = `standard input is a valid clearing of ${market}\n`
  assert.deepEqual(ran, { code: 0, stdout, stderr: '' })
}

void describe('mbcas market verify: what clear printed is right', together, () => {
  const modes = {
    uncongested: '6000m',
    congested: '3600m',
    'congested with nothing above the floors': '1150m',
    'congested with less than a millicore each above the floors': '1152m',
    overloaded: '500m',
    'overloaded with nothing to share': '0',
  }
  const rows = Object.entries(modes).flatMap(([mode, capacity]) =>
    ['nash', 'kalai-smorodinsky', 'primal-dual'].map((mechanism) => ({
      name: `${mode}, by ${mechanism}`,
      mode,
      flags: { capacity, mechanism },
    })),
  )
  each(rows, async ({ mode, flags }) => {
    const printed = await clear(flags)
    assert.equal((JSON.parse(printed) as MarketResult).mode, mode.split(' ')[0])
    assertRight(await verify(flags, printed))
  })

  void test('YAML', async () => assertRight(await verify({}, await clear({}, 'yaml'))))

  void test('a file, named in the answer', async () => {
    const path = join(folder, 'result.yaml')
    writeFileSync(path, await clear({}, 'yaml'))
    const { code, stdout } = await mbcas(['market', 'verify', '-f', market, '--result', path])
    assert.deepEqual(
      { code, stdout },
      { code: 0, stdout: `${path} is a valid clearing of ${market}\n` },
    )
  })

  void test('in other words: only that there are reasons is checked, not how they are told', async () => {
    const result = JSON.parse(await clear({})) as MarketResult
    for (const allocation of result.allocations) allocation.reason = 'because'
    assertRight(await verify({}, stringify(result)))
  })
})

type Changing = { -readonly [K in keyof MarketResult]: MarketResult[K] }
type Allocation = MarketResult['allocations'][number]

/** The allocation of a bid of the example, to be changed. */
function of(result: MarketResult, id: string): Allocation {
  const found = result.allocations.find((allocation) => allocation.id === id)
  assert.ok(found, `the example has no bid ${id}`)
  return found
}

type Tampering = {
  readonly name: string
  readonly flags?: Flags
  readonly change: (result: Changing) => void
  readonly says: string
}

/** worker-a and worker-b get 1250m each at a price of 1 / 750, noise 200m, gateway its 900m. */
const tamperings: readonly Tampering[] = [
  {
    name: 'a millicore moved from one bid to another',
    change: (result) => {
      of(result, 'worker-a').millicores -= 1
      of(result, 'noise').millicores += 1
    },
    says: 'bid "worker-a": would gain more from one unit than bid "noise", which holds it',
  },
  {
    name: 'a millicore too many',
    change: (result) => (of(result, 'noise').millicores += 1),
    says: 'expected the sum of the allocations to be 3600, got 3601',
  },
  {
    name: 'a millicore taken from below a floor',
    change: (result) => (of(result, 'noise').millicores = 49),
    says: 'bid "noise": expected a whole amount from 50 to 1000, got 49',
  },
  {
    name: 'a millicore above a need',
    change: (result) => (of(result, 'gateway').millicores = 901),
    says: 'bid "gateway": expected a whole amount from 100 to 900, got 901',
  },
  {
    name: 'a part of a millicore',
    change: (result) => (of(result, 'noise').millicores = 200.5),
    says: 'bid "noise": expected a whole amount from 50 to 1000, got 200.5',
  },
  {
    name: 'another price',
    change: (result) => (result.price = 0.00134),
    says: 'bid "worker-a": not at the common level: its marginal worth 0.00133',
  },
  {
    name: 'no price',
    change: (result) => (result.price = null),
    says: 'expected a positive price, got null',
  },
  {
    name: 'a price where there is enough for all',
    flags: { capacity: '6000m' },
    change: (result) => (result.price = 0.001),
    says: 'expected price to be 0, got 0.001',
  },
  {
    name: 'a price where floors do not fit',
    flags: { capacity: '500m' },
    change: (result) => (result.price = 0.001),
    says: 'expected price to be null, got 0.001',
  },
  {
    name: 'another price of equal fractions',
    flags: { mechanism: 'kalai-smorodinsky' },
    change: (result) => (result.price = Number(result.price) * 1.01),
    says: 'expected price to be 0.00038',
  },
  {
    name: 'slack that is not there',
    change: (result) => (result.slack = 1),
    says: 'expected slack to be 0, got 1',
  },
  {
    name: 'slack that is kept back',
    flags: { capacity: '6000m' },
    change: (result) => (result.slack -= 1),
    says: 'expected slack to be 700, got 699',
  },
  {
    name: 'another mode',
    change: (result) => (result.mode = 'overloaded'),
    says: 'expected mode to be congested, got overloaded',
  },
  {
    name: 'a mode that nobody knows',
    change: (result) => (result.mode = 'calm'),
    says: 'expected mode to be congested, got calm',
  },
  {
    name: 'another capacity',
    change: (result) => (result.capacity = 3601),
    says: 'expected capacity to be 3600, got 3601',
  },
  {
    name: 'another mechanism',
    change: (result) => (result.mechanism = 'kalai-smorodinsky'),
    says: 'expected mechanism to be nash, got kalai-smorodinsky; if it was cleared with --mechanism, give the same here',
  },
  {
    name: 'an allocation less',
    change: (result) => result.allocations.pop(),
    says: 'allocation 4: expected bid "noise", got none',
  },
  {
    name: 'an allocation more',
    change: (result) => result.allocations.push({ ...of(result, 'noise'), id: 'friend' }),
    says: 'allocation 5: expected none, got bid "friend"',
  },
  {
    name: 'an allocation under another name',
    change: (result) => (of(result, 'noise').id = 'signal'),
    says: 'allocation 4: expected bid "noise", got bid "signal"',
  },
  {
    name: 'two allocations in the place of each other',
    change: (result) => (result.allocations = result.allocations.toReversed()),
    says: 'allocation 1: expected bid "gateway", got bid "noise"',
  },
  {
    name: 'another exact value',
    change: (result) => (of(result, 'worker-b').exact += 0.001),
    says: 'bid "worker-b": not at the common level',
  },
  {
    name: 'an exact value moved from one bid to another',
    change: (result) => {
      of(result, 'worker-a').exact -= 0.001
      of(result, 'worker-b').exact += 0.001
    },
    says: 'bid "worker-a": not at the common level',
  },
  {
    name: 'a certificate that admits to be wrong',
    change: (result) => (result.certificate.dual = 0.5),
    says: 'certificate: expected dual from 0 to 1e-9, got 0.5',
  },
  {
    name: 'a certificate below 0',
    change: (result) => (result.certificate.primal = -1e-15),
    says: 'certificate: expected primal from 0 to 1e-9, got -1e-15',
  },
  {
    name: 'an allocation without a reason',
    change: (result) => (of(result, 'noise').reason = ''),
    says: 'allocation "noise": expected a reason, got ""',
  },
  {
    name: 'prices that Nash does not broadcast',
    change: (result) => (result.iterations = 5),
    says: 'expected no iterations, got 5',
  },
  {
    name: 'prices that are not told',
    flags: { mechanism: 'primal-dual' },
    change: (result) => delete result.iterations,
    says: 'expected iterations to be a whole number, got nothing',
  },
  {
    name: 'a part of a price',
    flags: { mechanism: 'primal-dual' },
    change: (result) => (result.iterations = 4.5),
    says: 'expected iterations to be a whole number, got 4.5',
  },
  {
    name: 'a key less',
    change: (result) => Reflect.deleteProperty(result, 'slack'),
    says: 'standard input: expected slack, got nothing',
  },
  {
    name: 'a key more',
    change: (result) => Reflect.set(of(result, 'noise'), 'milicores', 200),
    says: 'allocation "noise": unknown key "milicores"; did you mean "millicores"?',
  },
  {
    name: 'words for a number',
    change: (result) => Reflect.set(of(result, 'noise'), 'millicores', '200m'),
    says: 'allocation "noise": expected millicores to be a number, got "200m"',
  },
]

void describe('mbcas market verify: what was changed is not', together, () => {
  each(tamperings, async ({ flags = {}, change, says }) => {
    const result = JSON.parse(await clear(flags)) as MarketResult
    change(result)
    const { code, stdout, stderr } = await verify(flags, JSON.stringify(result))
    assert.equal(code, 1)
    assert.ok(stdout.includes(says), `expected ${says}\ngot ${stdout}`)
    assert.match(stderr, /^mbcas market verify: standard input: \d+ problems?\n$/)
  })

  void test('a result of another market, or of other flags', async () => {
    const { code, stdout } = await verify({ capacity: '3000m' }, await clear({}))
    assert.equal(code, 1)
    assert.match(stdout, /^expected capacity to be 3000, got 3600\n/)
  })

  void test('a result that is a list', async () => {
    const { code, stdout } = await verify({}, '[1]')
    const says =
      'standard input: expected an object as `mbcas market clear -o json` prints it, got a list\n'
    assert.deepEqual({ code, stdout }, { code: 1, stdout: says })
  })

  void test('a result that is neither JSON nor YAML is bad input', async () => {
    const { code, stdout, stderr } = await verify({}, '{"mode": ')
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
    assert.match(stderr, /^mbcas: reading standard input: /)
  })
})
