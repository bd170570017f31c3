import type { ApiObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { age, column } from './columns.ts'
import type { KindRules } from './kind-rules.ts'
import { fill } from './pod/defaults.ts'
import {
  all,
  duplicate,
  forbiddenField,
  required,
  unsupported,
  wrong,
} from './validate/field-errors.ts'
import { checkLabelValue, checkQualifiedName } from './validate/names.ts'

type Taint = {
  readonly key?: string
  readonly value?: string
  readonly effect?: string
  readonly timeAdded?: string
}
type Spec = {
  readonly taints?: readonly Taint[]
  readonly unschedulable?: boolean
  readonly providerID?: string
  readonly podCIDRs?: readonly string[]
}
type Status = {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  readonly addresses?: readonly { readonly type: string; readonly address: string }[]
  readonly capacity?: Readonly<Record<string, string>>
  readonly allocatable?: Readonly<Record<string, string>>
  readonly nodeInfo?: Readonly<Record<string, string>>
  readonly daemonEndpoints?: { readonly kubeletEndpoint: { readonly Port: number } }
}

const specOf = ({ spec }: ApiObject): Spec => spec ?? {}
const statusOf = ({ status }: ApiObject): Status => status ?? {}

const unknownNode = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: '',
  architecture: '',
}

/** All that there is can be had, if nothing else is said. */
function setDefaults(object: ApiObject): ApiObject {
  const { capacity, allocatable } = statusOf(object)
  if (capacity === undefined || allocatable !== undefined) return object
  return { ...object, status: { ...statusOf(object), allocatable: capacity } }
}

/** A kubelet may bring its status along. */
const prepareCreate = (object: ApiObject): ApiObject => ({
  ...object,
  spec: specOf(object),
  status: {
    ...fill(statusOf(object), { daemonEndpoints: { kubeletEndpoint: { Port: 0 } } }),
    nodeInfo: { ...unknownNode, ...statusOf(object).nodeInfo },
  },
})

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** They are of the spec, but the real server says metadata. */
function checkTaints(object: ApiObject): FieldError[] {
  const { taints = [] } = specOf(object)
  return taints.flatMap(({ key = '', value = '', effect = '', timeAdded = null }, index) => {
    const at = `metadata.taints[${index}]`
    const errors = all(`${at}.key`, key, checkQualifiedName(key))
    const faults = checkLabelValue(value)
    if (faults.length > 0) errors.push(wrong(`${at}.value`, value, faults.join(';')))
    if (effect === '') errors.push(required(`${at}.effect`))
    else if (!effects.includes(effect)) errors.push(unsupported(`${at}.effect`, effect, effects))
    const isTwice = taints.findIndex((one) => one.key === key && one.effect === effect) < index
    const taint = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded }
    if (isTwice) errors.push(duplicate(at, taint, 'taints must be unique by key and effect pair'))
    return errors
  })
}

function checkUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const [spec, had] = [specOf(next), specOf(old)]
  const said = (field: string) => `node updates may not change ${field} except from "" to valid`
  const errors: FieldError[] = []
  if (had.podCIDRs?.length && had.podCIDRs.join() !== spec.podCIDRs?.join())
    errors.push(forbiddenField('spec.podCIDRs', said('podCIDR')))
  if (had.providerID && had.providerID !== spec.providerID)
    errors.push(forbiddenField('spec.providerID', said('providerID')))
  return [...errors, ...checkTaints(next)]
}

function conditionText(object: ApiObject): string {
  const ready = statusOf(object).conditions?.find(({ type }) => type === 'Ready')
  const isReady = ready?.status === 'True' ? 'Ready' : 'NotReady'
  const texts = [ready === undefined ? 'Unknown' : isReady]
  if (specOf(object).unschedulable === true) texts.push('SchedulingDisabled')
  return texts.join(',')
}

const rolePrefix = 'node-role.kubernetes.io/'

function rolesText({ metadata: { labels = {} } }: ApiObject): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)]
    return key === 'kubernetes.io/role' ? [value] : []
  })
  const named = [...new Set(roles)].filter((role) => role !== '').toSorted()
  return named.length === 0 ? '<none>' : named.join(',')
}

const addressOf = (object: ApiObject, kind: string): string =>
  statusOf(object).addresses?.find(({ type }) => type === kind)?.address ?? '<none>'

const about = (object: ApiObject, field: string): string => statusOf(object).nodeInfo?.[field] ?? ''

function kernelText(object: ApiObject): string {
  const architecture = about(object, 'architecture')
  const version = about(object, 'kernelVersion') || '<unknown>'
  return architecture === '' ? version : `${version} (${architecture})`
}

const wide = { wide: true }

export const nodeRules: KindRules = {
  strategy: {
    keepsStatus: true,
    setDefaults,
    prepareCreate,
    validateCreate: checkTaints,
    validateUpdate: checkUpdate,
  },
  columns: [
    column(['Status', 'Whether it is ready for pods.'], conditionText),
    column(['Roles', 'Its roles, from labels.'], rolesText),
    age,
    column(['Version', 'Version of its kubelet.'], (object) => about(object, 'kubeletVersion')),
    column(
      ['Internal-IP', 'Address inside the cluster.'],
      (object) => addressOf(object, 'InternalIP'),
      wide,
    ),
    column(
      ['External-IP', 'Address outside of the cluster.'],
      (object) => addressOf(object, 'ExternalIP'),
      wide,
    ),
    column(
      ['OS-Image', 'Its operating system.'],
      (object) => about(object, 'osImage') || '<unknown>',
      wide,
    ),
    column(['Kernel-Version', 'Its kernel.'], kernelText, wide),
    column(
      ['Container-Runtime', 'What runs its containers.'],
      (object) => about(object, 'containerRuntimeVersion') || '<unknown>',
      wide,
    ),
  ],
  selectableFields: {
    'spec.unschedulable': (object) => String(specOf(object).unschedulable ?? false),
  },
  hasGeneration: false,
}
