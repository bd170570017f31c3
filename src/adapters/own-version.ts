import { readFileSync } from 'node:fs'

type OwnPackage = { readonly version: string; readonly engines: { readonly node: string } }

/** package.json, beside what was built. */
const ownPackage = (): OwnPackage =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as OwnPackage

export const ownVersion = (): string => ownPackage().version

/** What to say if the Node that runs us is too old for us. */
export function whyTooOld(node: string): string | undefined {
  const { engines } = ownPackage()
  const needed = engines.node.replace('>=', '')
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const [needMajor = 0, needMinor = 0] = needed.split('.').map(Number)
  const isEnough = major > needMajor || (major === needMajor && minor >= needMinor)
  return isEnough ? undefined : `Node >= ${needed} is needed, this is ${node}`
}
