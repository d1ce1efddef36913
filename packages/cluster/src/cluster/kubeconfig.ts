/** One user of a kubeconfig: a client certificate or a token. */
export type KubeconfigUser =
  | { readonly name: string; readonly cert: string; readonly key: string }
  | { readonly name: string; readonly token: string }

interface KubeconfigSource {
  readonly server: string
  /** Absent if the server uses plain HTTP. */
  readonly caCert: string | undefined
  /** The first user is the current context. */
  readonly users: readonly KubeconfigUser[]
}

/** A kubeconfig as text. JSON is valid YAML, so every client reads it. */
export function kubeconfigText({ server, caCert, users }: KubeconfigSource): string {
  const cluster = {
    server,
    ...(caCert === undefined ? {} : { 'certificate-authority-data': base64(caCert) }),
  }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'setpoint', cluster }],
    users: users.map((user) => ({ name: user.name, user: credentials(user) })),
    contexts: users.map(({ name }) => ({ name, context: { cluster: 'setpoint', user: name } })),
    'current-context': users[0]?.name ?? '',
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

function credentials(user: KubeconfigUser): object {
  if ('token' in user) return { token: user.token }
  return {
    'client-certificate-data': base64(user.cert),
    'client-key-data': base64(user.key),
  }
}

function base64(text: string): string {
  return btoa(text)
}
