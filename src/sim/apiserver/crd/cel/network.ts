/** URLs, IP addresses and CIDRs in CEL. */
import { isIP, isIPv4 } from 'node:net'

import type { Environment } from '@marcbachmann/cel-js'

import { CelFault } from './fault.ts'

class Url {
  readonly url: URL
  constructor(url: URL) {
    this.url = url
  }
}

class Address {
  readonly text: string
  readonly family: 4 | 6
  readonly bits: bigint
  constructor(text: string) {
    this.text = text
    this.family = isIPv4(text) ? 4 : 6
    this.bits = bitsOf(text)
  }
}

class Network {
  readonly address: Address
  readonly length: number
  constructor(address: Address, length: number) {
    this.address = address
    this.length = length
  }
}

/** Absolute, or a path: as Go's ParseRequestURI takes them. */
function urlOf(text: string): URL | undefined {
  if (/\s/.test(text) || !/^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/)/.test(text)) return undefined
  return URL.canParse(text, 'path://') ? new URL(text, 'path://') : undefined
}

const fourBits = (text: string): bigint =>
  text.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n)

function bitsOf(text: string): bigint {
  if (isIPv4(text)) return fourBits(text)
  // The last four bytes may be written as an IPv4 address.
  const plain = text.replace(/[\d.]+\.\d+$/, (four) => {
    const bits = fourBits(four)
    return `${(bits >> 16n).toString(16)}:${(bits & 0xff_ffn).toString(16)}`
  })
  const [head = '', tail] = plain.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].reduce(
    (bits, part) => bits * 65536n + BigInt(`0x${part}`),
    0n,
  )
}

/** Kubernetes takes neither zones nor IPv4 addresses that are mapped into IPv6. */
function addressOf(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const address = new Address(text)
  return address.family === 6 && address.bits >> 32n === 0xff_ffn ? undefined : address
}

function networkOf(text: string): Network | undefined {
  const [written = '', length = '', ...more] = text.split('/')
  const address = addressOf(written)
  if (!address || more.length > 0 || !/^(?:0|[1-9]\d*)$/.test(length)) return undefined
  if (Number(length) > Number(widthOf(address))) return undefined
  return new Network(address, Number(length))
}

function needAddress(text: string): Address {
  const address = addressOf(text)
  if (address) return address
  throw new CelFault(
    `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
  )
}

function needNetwork(text: string): Network {
  const network = networkOf(text)
  if (network) return network
  throw new CelFault(
    `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`,
  )
}

const widthOf = ({ family }: Address): bigint => (family === 4 ? 32n : 128n)
const prefixOf = (address: Address, length: number): bigint =>
  address.bits >> (widthOf(address) - BigInt(length))

const contains = ({ address, length }: Network, other: Address): boolean =>
  address.family === other.family && prefixOf(address, length) === prefixOf(other, length)

const isLoopback = ({ family, bits }: Address): boolean =>
  family === 4 ? bits >> 24n === 127n : bits === 1n

export function registerNetwork(env: Environment): void {
  env.registerType('kubernetes.URL', Url)
  env.registerFunction('isURL(string): bool', (text: string) => urlOf(text) !== undefined)
  env.registerFunction('url(string): kubernetes.URL', (text: string) => {
    const url = urlOf(text)
    if (url) return new Url(url)
    throw new CelFault(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    )
  })
  const part = (signature: string, of: (url: URL) => unknown): void => {
    env.registerFunction(`kubernetes.URL.${signature}`, ({ url }: Url) => of(url))
  }
  part('getScheme(): string', ({ protocol }) => (protocol === 'path:' ? '' : protocol.slice(0, -1)))
  part('getHost(): string', ({ host }) => host)
  part('getHostname(): string', ({ hostname }) => hostname.replace(/^\[|\]$/g, ''))
  part('getPort(): string', ({ port }) => port)
  part('getEscapedPath(): string', ({ pathname }) => pathname)
  part('getQuery(): map<string, list<string>>', ({ searchParams }) => {
    const names = [...new Set(searchParams.keys())].toSorted()
    return new Map(names.map((name) => [name, searchParams.getAll(name)]))
  })
  registerAddresses(env)
}

function registerAddresses(env: Environment): void {
  env.registerType('net.IP', Address)
  env.registerType('net.CIDR', Network)
  env.registerFunction('isIP(string): bool', (text: string) => addressOf(text) !== undefined)
  env.registerFunction('ip(string): net.IP', needAddress)
  env.registerFunction('isCIDR(string): bool', (text: string) => networkOf(text) !== undefined)
  env.registerFunction('cidr(string): net.CIDR', needNetwork)
  env.registerOperator(
    'net.IP == net.IP',
    (a: Address, b: Address) => a.bits === b.bits && a.family === b.family,
  )
  env.registerFunction('net.IP.family(): int', ({ family }: Address) => BigInt(family))
  env.registerFunction('net.IP.isUnspecified(): bool', ({ bits }: Address) => bits === 0n)
  env.registerFunction('net.IP.isLoopback(): bool', isLoopback)
  env.registerFunction('string(net.IP): string', ({ text }: Address) => text)
  env.registerFunction('net.CIDR.prefixLength(): int', ({ length }: Network) => BigInt(length))
  env.registerFunction('net.CIDR.ip(): net.IP', ({ address }: Network) => address)
  env.registerFunction('net.CIDR.containsIP(net.IP): bool', contains)
  env.registerFunction('net.CIDR.containsIP(string): bool', (network: Network, text: string) =>
    contains(network, needAddress(text)),
  )
  env.registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', containsNetwork)
  env.registerFunction('net.CIDR.containsCIDR(string): bool', (network: Network, text: string) =>
    containsNetwork(network, needNetwork(text)),
  )
}

const containsNetwork = (network: Network, other: Network): boolean =>
  other.length >= network.length && contains(network, other.address)
