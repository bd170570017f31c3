/** What the contract suite needs to know of the embedded cluster. */
export const unlimited = {
  read: 'unlimited',
  write: 'unlimited',
  status: 'unlimited',
  event: 'unlimited',
} as const

/** Moves the token to version 1, which no server remembers. */
export function expireToken(token: string): string {
  const parts = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number }
  return Buffer.from(JSON.stringify({ ...parts, rv: 1 })).toString('base64url')
}
