/** Volumes of a pod and where its containers mount them. */
import { parseQuantity } from '../../../../core/quantity.ts'
import type { FieldError } from '../../refusal.ts'
import { duplicate, forbiddenField, required, wrong } from '../validate/field-errors.ts'
import { checkDnsLabel } from '../validate/names.ts'
import { named, notFound, oneOf } from './complaints.ts'
import type { Container, KeyToPath, Volume } from './types.ts'

/** With the names of those that are in order: no other can be mounted. */
export function checkVolumes(
  volumes: readonly Volume[],
  field: string,
): { readonly errors: FieldError[]; readonly names: ReadonlySet<string> } {
  const errors: FieldError[] = []
  const names = new Set<string>()
  for (const [index, volume] of volumes.entries()) {
    const at = `${field}[${index}]`
    const { name = '' } = volume
    const found = [
      ...checkSource(volume, at),
      ...named(`${at}.name`, name, checkDnsLabel),
      ...(names.has(name) ? [duplicate(`${at}.name`, name)] : []),
    ]
    if (found.length === 0) names.add(name)
    errors.push(...found)
  }
  return { errors, names }
}

/** In the order in which the server looks for them: the first one counts. */
const sources = [
  'emptyDir',
  'hostPath',
  'secret',
  'nfs',
  'persistentVolumeClaim',
  'downwardAPI',
  'configMap',
  'projected',
  'csi',
  'ephemeral',
  'image',
] as const

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

function checkSource(volume: Volume, field: string): FieldError[] {
  const [first, ...others] = sources.filter((name) => volume[name] !== undefined)
  return [
    ...(first === undefined ? [] : checkFirst(volume, first, field)),
    ...others.map((name) =>
      forbiddenField(`${field}.${name}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

function checkFirst(volume: Volume, source: string, field: string): FieldError[] {
  const at = `${field}.${source}`
  const { emptyDir, hostPath, secret, configMap, persistentVolumeClaim } = volume
  switch (source) {
    case 'emptyDir': {
      const size = emptyDir?.sizeLimit
      return size !== undefined && parseQuantity(size).nanos < 0n
        ? [forbiddenField(`${at}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : []
    }
    case 'hostPath':
      return hostPath?.path
        ? [
            ...checkNoBacksteps(hostPath.path, `${at}.path`),
            ...oneOf(`${at}.type`, hostPath.type, hostPathTypes),
          ]
        : [required(`${at}.path`)]
    case 'secret':
      return [
        ...(secret?.secretName ? [] : [required(`${at}.secretName`)]),
        ...checkFiles(secret, at),
      ]
    case 'configMap':
      return [...(configMap?.name ? [] : [required(`${at}.name`)]), ...checkFiles(configMap, at)]
    case 'persistentVolumeClaim':
      return persistentVolumeClaim?.claimName ? [] : [required(`${at}.claimName`)]
    default:
      return []
  }
}

type Files = { readonly defaultMode?: number; readonly items?: readonly KeyToPath[] }

const checkFiles = ({ defaultMode, items = [] }: Files = {}, field: string): FieldError[] => [
  ...checkMode(defaultMode, `${field}.defaultMode`),
  ...items.flatMap(({ key, path = '', mode }, index) => {
    const at = `${field}.items[${index}]`
    return [
      ...(key ? [] : [required(`${at}.key`)]),
      ...(path ? [] : [required(`${at}.path`)]),
      ...checkRelative(path, `${at}.path`),
      ...(path.startsWith('..') && !path.startsWith('../') && path !== '..'
        ? [wrong(`${at}.path`, path, "must not start with '..'")]
        : []),
      ...checkMode(mode, `${at}.mode`),
    ]
  }),
]

const checkMode = (mode: number | undefined, field: string): FieldError[] =>
  mode !== undefined && (mode < 0 || mode > 0o777)
    ? [wrong(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : []

const checkRelative = (path: string, field: string): FieldError[] => [
  ...(path.startsWith('/') ? [wrong(field, path, 'must be a relative path')] : []),
  ...checkNoBacksteps(path, field),
]

const checkNoBacksteps = (path: string, field: string): FieldError[] =>
  path.split('/').includes('..') ? [wrong(field, path, "must not contain '..'")] : []

export function checkMounts(
  { volumeMounts = [] }: Container,
  { field, volumes }: { readonly field: string; readonly volumes: ReadonlySet<string> },
): FieldError[] {
  const paths = new Set<string>()
  return volumeMounts.flatMap(({ name = '', mountPath = '', subPath, subPathExpr }, index) => {
    const at = `${field}[${index}]`
    const isTaken = paths.has(mountPath)
    paths.add(mountPath)
    return [
      ...(name === '' ? [required(`${at}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFound(`${at}.name`, name)]),
      ...(mountPath === '' ? [required(`${at}.mountPath`)] : []),
      ...(isTaken ? [wrong(`${at}.mountPath`, mountPath, 'must be unique')] : []),
      ...(subPath ? checkRelative(subPath, `${field}.subPath`) : []),
      ...(subPathExpr && subPath
        ? [
            wrong(
              `${at}.subPathExpr`,
              subPathExpr,
              'subPathExpr and subPath are mutually exclusive',
            ),
          ]
        : []),
      ...(subPathExpr ? checkRelative(subPathExpr, `${field}.subPathExpr`) : []),
    ]
  })
}
