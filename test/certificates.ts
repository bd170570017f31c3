/** Certificates for tests, made by openssl once a process: good ones, expired ones, another CA's. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Pair = {
  readonly cert: string
  readonly key: string
  readonly certFile: string
  readonly keyFile: string
}

export type Certificates = {
  readonly ca: Pair
  readonly otherCa: Pair
  /** For kubernetes.default, localhost and 127.0.0.1. */
  readonly server: Pair
  readonly serverOfOtherCa: Pair
  /** For kubernetes.default alone, as kube-apiserver's own. */
  readonly serverElsewhere: Pair
  readonly expiredServer: Pair
  readonly client: Pair
  readonly expiredClient: Pair
}

let made: Certificates | undefined

export const certificates = (): Certificates => (made ??= make())

function make(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-certificates-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

  const pair = (name: string): Pair => ({
    cert: readFileSync(at(`${name}.crt`), 'utf8'),
    key: readFileSync(at(`${name}.key`), 'utf8'),
    certFile: at(`${name}.crt`),
    keyFile: at(`${name}.key`),
  })
  const authority = (name: string): Pair => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`]
    openssl('req', '-x509', ...newKey, ...files, '-subj', `/CN=${name}`, '-days', '2')
    return pair(name)
  }
  const signed = (
    name: string,
    { by, names, days = 2 }: { by: string; names?: string; days?: number },
  ): Pair => {
    const subject = ['-subj', `/O=mbcas/CN=${name}`]
    const extension = names === undefined ? [] : ['-addext', `subjectAltName=${names}`]
    openssl(
      'req',
      ...newKey,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      ...subject,
      ...extension,
    )
    const authority = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial']
    const life = ['-days', String(days), '-copy_extensions', 'copy']
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.crt`, ...authority, ...life)
    return pair(name)
  }

  const [ca, otherCa] = [authority('test-ca'), authority('other-ca')]
  const local = 'DNS:kubernetes.default,DNS:localhost,IP:127.0.0.1'
  return {
    ca,
    otherCa,
    server: signed('server', { by: 'test-ca', names: local }),
    serverOfOtherCa: signed('other-server', { by: 'other-ca', names: local }),
    serverElsewhere: signed('elsewhere', { by: 'test-ca', names: 'DNS:kubernetes.default' }),
    expiredServer: signed('expired-server', { by: 'test-ca', names: local, days: -1 }),
    client: signed('client', { by: 'test-ca' }),
    expiredClient: signed('expired-client', { by: 'test-ca', days: -1 }),
  }
}
