/** What kubectl and our own processes need to reach the embedded cluster. */
export type Access = { readonly url: string; readonly authority: string; readonly token: string }

/** By it we know a file that we may overwrite. */
const mark = '# Written by `mbcas cluster`; it is overwritten when that starts again.'

export const isOurs = (text: string): boolean => text.startsWith(mark)

export const kubeconfigOf = ({ url, authority, token }: Access): string => `${mark}
apiVersion: v1
kind: Config
clusters:
  - name: mbcas
    cluster:
      server: ${url}
      certificate-authority-data: ${Buffer.from(authority).toString('base64')}
users:
  - name: admin
    user:
      token: ${token}
contexts:
  - name: mbcas
    context:
      cluster: mbcas
      user: admin
current-context: mbcas
`
