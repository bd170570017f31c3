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

function bitsOf(text: string): bigint {
  if (isIPv4(text)) return text.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n)
  const [head = '', tail] = text.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].reduce(
    (bits, part) => bits * 65536n + BigInt(`0x${part}`),
    0n,
  )
}

function networkOf(text: string): Network | undefined {
  const [address = '', length = '', ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0 || !/^(?:0|[1-9]\d*)$/.test(length)) return undefined
  if (Number(length) > (family === 4 ? 32 : 128)) return undefined
  return new Network(new Address(address), Number(length))
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
  env.registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0)
  env.registerFunction('ip(string): net.IP', (text: string) => {
    if (isIP(text) !== 0) return new Address(text)
    throw new CelFault(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    )
  })
  env.registerFunction('isCIDR(string): bool', (text: string) => networkOf(text) !== undefined)
  env.registerFunction('cidr(string): net.CIDR', (text: string) => {
    const network = networkOf(text)
    if (network) return network
    throw new CelFault(
      `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`,
    )
  })
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
    contains(network, new Address(text)),
  )
  env.registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', containsNetwork)
  env.registerFunction('net.CIDR.containsCIDR(string): bool', (network: Network, text: string) => {
    const other = networkOf(text)
    return other !== undefined && containsNetwork(network, other)
  })
}

const containsNetwork = (network: Network, other: Network): boolean =>
  other.length >= network.length && contains(network, other.address)
