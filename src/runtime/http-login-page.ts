/**
 * The form for a token: works without any script. It has no action, so that it is sent to the address of the
 * page with what stands there after `#`: the browser carries that from one address to the next, and the
 * person comes to the view that the link named.
 */
import { escapeHtml } from '../core/escape-html.ts'
import type { HttpReply } from './http-server-answer.ts'

export function loginPage({
  next,
  isWrong,
}: {
  /** Where to go then: a path of this server. */
  readonly next: string
  readonly isWrong: boolean
}): HttpReply {
  const problem = isWrong ? '<p role="alert">That is not the token.</p>' : ''
  return {
    status: isWrong ? 401 : 200,
    type: 'text/html; charset=utf-8',
    headers: { 'cache-control': 'no-store' },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>MBCAS: log in</title>
</head>
<body>
<main>
<h1>MBCAS</h1>
${problem}
<form method="post">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<p><label>Token <input type="password" name="token" autocomplete="current-password" required autofocus></label></p>
<p><button>Look</button></p>
</form>
<p>The token stands in the file that was given to mbcas dashboard with --token-file.</p>
</main>
</body>
</html>
`,
  }
}
