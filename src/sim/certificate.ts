/**
 * A self-signed certificate for a server on loopback, in DER written by hand: Node can sign but not
 * issue, and the packages that can bring a dozen others (ADR 13).
 */
import { createSign, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'

type Certificate = { readonly cert: string; readonly key: string }

const tag = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const
const explicit = (number: number) => 0xa0 + number
const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
} as const

/** Valid for 127.0.0.1 and localhost; also its own authority. */
export function makeCertificate(at: { readonly name: string; readonly days: number }): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = Date.now()
  const name = der(
    tag.sequence,
    der(tag.set, der(tag.sequence, oid(oids.commonName), der(tag.utf8, Buffer.from(at.name)))),
  )
  const algorithm = der(tag.sequence, oid(oids.ecdsaWithSha256))
  // An hour back: clocks differ, also between a machine and its containers.
  const validity = der(tag.sequence, time(now - 3_600_000), time(now + at.days * 86_400_000))
  const body = der(
    tag.sequence,
    der(explicit(0), der(tag.integer, Buffer.from([2]))),
    der(tag.integer, Buffer.from([1]), randomBytes(15)), // positive, since it begins with 1
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(explicit(3), der(tag.sequence, ...extensions())),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const whole = der(tag.sequence, body, algorithm, der(tag.bits, Buffer.from([0]), signature))
  return {
    cert: new X509Certificate(whole).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function extensions(): Buffer[] {
  const isAuthority = der(tag.sequence, Buffer.from([0x01, 0x01, 0xff]))
  const names = der(
    tag.sequence,
    der(0x82, Buffer.from('localhost')), // dNSName
    der(0x87, Buffer.from([127, 0, 0, 1])), // iPAddress
  )
  return [
    der(tag.sequence, oid(oids.basicConstraints), der(tag.octets, isAuthority)),
    der(tag.sequence, oid(oids.subjectAltName), der(tag.octets, names)),
  ]
}

function der(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([type, ...lengthOf(content.length)]), content])
}

/** Below 128 in one byte, else the number of bytes first. */
const lengthOf = (length: number): number[] =>
  length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]

const oid = (hex: string): Buffer => der(tag.oid, Buffer.from(hex, 'hex'))

/** YYYYMMDDHHMMSSZ */
const time = (at: number): Buffer =>
  der(tag.time, Buffer.from(`${new Date(at).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`))
