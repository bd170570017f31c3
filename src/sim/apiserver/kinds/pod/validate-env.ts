/** Environment variables, and where their values come from. */
import type { FieldError } from '../../refusal.ts'
import { all, required, unsupported, wrong } from '../validate/field-errors.ts'
import {
  checkConfigKey,
  checkDnsLabel,
  checkQualifiedName,
  checkSubdomain,
} from '../validate/names.ts'
import { envName, formed, named } from './complaints.ts'
import type { Container, EnvVar, FieldRef, KeyRef } from './types.ts'

export const checkEnv = ({ env = [], envFrom = [] }: Container, field: string): FieldError[] => [
  ...env.flatMap((one, index) => checkVariable(one, `${field}.env[${index}]`)),
  ...envFrom.flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const at = `${field}.envFrom[${index}]`
    const sources = [configMapRef, secretRef].filter((source) => source !== undefined)
    return [
      ...formed(`${at}.prefix`, prefix, envName),
      ...(configMapRef ? named(`${at}.configMapRef.name`, configMapRef.name, checkSubdomain) : []),
      ...(secretRef ? named(`${at}.secretRef.name`, secretRef.name, checkSubdomain) : []),
      ...onlyOne(
        sources.length,
        `${field}.envFrom`,
        'must specify one of: `configMapRef` or `secretRef`',
      ),
    ]
  }),
]

function onlyOne(count: number, field: string, none: string): FieldError[] {
  if (count === 0) return [wrong(field, '', none)]
  return count > 1 ? [wrong(field, '', 'may not have more than one field specified at a time')] : []
}

const fieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
/** A pod has these too, but a variable cannot hold them. */
const otherPaths = new Set([
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])
const resources = ['limits', 'requests'].flatMap((side) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${side}.${name}`),
)
/** As the server lists them. */
const sortedResources = resources.toSorted()

function checkVariable({ name, value = '', valueFrom }: EnvVar, field: string): FieldError[] {
  const errors = named(`${field}.name`, name, envName)
  if (valueFrom === undefined) return errors
  const at = `${field}.valueFrom`
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom
  if (fieldRef) errors.push(...checkFieldRef(fieldRef, `${at}.fieldRef`))
  if (resourceFieldRef)
    errors.push(...checkResource(resourceFieldRef.resource ?? '', `${at}.resourceFieldRef`))
  if (configMapKeyRef) errors.push(...checkKey(configMapKeyRef, `${at}.configMapKeyRef`))
  if (secretKeyRef) errors.push(...checkKey(secretKeyRef, `${at}.secretKeyRef`))
  if (fileKeyRef) {
    const file = `${at}.fileKeyRef`
    errors.push(...named(`${file}.key`, fileKeyRef.key, envName))
    errors.push(...named(`${file}.volumeName`, fileKeyRef.volumeName, checkDnsLabel))
    errors.push(...named(`${file}.path`, fileKeyRef.path, () => []))
  }
  const count = Object.values(valueFrom).filter((source) => source !== undefined).length
  if (count > 0 && value !== '')
    return [...errors, wrong(at, '', 'may not be specified when `value` is not empty')]
  const none =
    'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
  return [...errors, ...onlyOne(count, at, none)]
}

const checkKey = ({ name = '', key }: KeyRef, field: string): FieldError[] => [
  ...all(`${field}.name`, name, checkSubdomain(name)),
  ...named(`${field}.key`, key, checkConfigKey),
]

function checkResource(name: string, field: string): FieldError[] {
  if (name === '') return [required(`${field}.resource`)]
  const isKnown = resources.includes(name) || /^(limits|requests)\.hugepages-/.test(name)
  return isKnown ? [] : [unsupported(`${field}.resource`, name, sortedResources)]
}

function checkFieldRef({ fieldPath = '' }: FieldRef, field: string): FieldError[] {
  const at = `${field}.fieldPath`
  if (fieldPath === '') return [required(at)]
  const subscript = /^(.*)\['(.*)'\]$/.exec(fieldPath)
  if (subscript) {
    const [, path = '', key = ''] = subscript
    if (path === 'metadata.labels') return all(field, key, checkQualifiedName(key))
    if (path === 'metadata.annotations')
      return all(field, key.toLowerCase(), checkQualifiedName(key.toLowerCase()))
    const said = `error converting fieldPath: field label does not support subscript: ${fieldPath}`
    return [wrong(at, fieldPath, said)]
  }
  if (fieldPaths.includes(fieldPath)) return []
  return otherPaths.has(fieldPath)
    ? [unsupported(at, fieldPath, fieldPaths)]
    : [wrong(at, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`)]
}
