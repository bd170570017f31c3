import { InvalidInput } from '../core/errors.ts'

/** `host:port` or `:port`; an IPv6 address in brackets. Port 0 takes a free one. */
export function parseListen(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain = '', digits = ''] =
    /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits !== '' && port <= 65_535) {
    return { host: bracketed ?? (plain === '' ? '0.0.0.0' : plain), port }
  }
  throw new InvalidInput(
    `--listen: expected an address such as :8082 or 127.0.0.1:8082, got ${JSON.stringify(text)}`,
  )
}
