import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { makeCertificate } from './certificate.ts'

void test('the certificate is its own authority, for loopback only', () => {
  const { cert } = makeCertificate({ name: 'mbcas', days: 2 })
  const read = new X509Certificate(cert)
  assert.ok(read.ca)
  assert.ok(read.verify(read.publicKey))
  assert.equal(read.subject, 'CN=mbcas')
  assert.equal(read.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1')
  assert.equal(read.checkIP('127.0.0.1'), '127.0.0.1')
  assert.equal(read.checkHost('example.org'), undefined)
  const days = (Date.parse(read.validTo) - Date.now()) / 86_400_000
  assert.ok(days > 1.9 && days <= 2, read.validTo)
})

void test('a client that trusts it connects, another does not', async () => {
  const { cert, key } = makeCertificate({ name: 'mbcas', days: 1 })
  const server = createServer({ cert, key }, (_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = async (ca?: string) =>
    new Promise<string>((resolve) => {
      get({ port, host: '127.0.0.1', ca, agent: false }, (response) => {
        response.resume()
        resolve(String(response.statusCode))
      }).on('error', (error) => resolve(error.message))
    })
  assert.equal(await ask(cert), '200')
  assert.match(await ask(), /self-signed certificate/)
  server.close()
})
