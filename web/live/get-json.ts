/** What the server refused, in its own words. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Paths are relative to the page, so that it works below a proxy's prefix too. */
export async function getJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(path, {
    signal: signal ?? null,
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Refused(response.status, await told(response))
  return (await response.json()) as Answer
}

async function told(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown }
    if (typeof error === 'string') return error
  } catch {
    // not JSON: a proxy's answer, of which the status says enough
  }
  return `${response.status} ${response.statusText}`.trim()
}
