import type { HttpRequest } from '../src/runtime/http-server.ts'

/** A request as a handler gets it: a GET of / unless told. */
export const httpRequest = (
  given: Partial<Omit<HttpRequest, 'body'>> & { readonly body?: string },
): HttpRequest => ({
  method: 'GET',
  path: '/',
  query: new URLSearchParams(),
  headers: {},
  ...given,
  body: Buffer.from(given.body ?? ''),
})
