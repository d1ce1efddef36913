import type { Connection, Credential } from './connection.ts'

const headerFields = { 'impersonate-user': 'as', 'impersonate-uid': 'as-uid' } as const

/**
 * A kubeconfig with one context, for another program that works on the same cluster. It contains
 * the credential itself: a token that expires is not renewed in it.
 */
export function kubeconfigOf(
  { server, namespace, proxy }: Pick<Connection, 'server' | 'namespace' | 'proxy'>,
  { headers, tls }: Credential,
): string {
  const groups = headers['impersonate-group']
  const identity = Object.entries(headerFields).flatMap(([header, field]) => {
    const value = headers[header]
    return value === undefined ? [] : [[field, value] as const]
  })
  const user = {
    ...authorizationOf(headers['authorization']),
    ...data('client-certificate-data', tls.cert),
    ...data('client-key-data', tls.key),
    ...Object.fromEntries(identity),
    ...(groups === undefined ? {} : { 'as-groups': [groups].flat() }),
  }
  const cluster = {
    server,
    ...data('certificate-authority-data', tls.ca),
    ...(tls.serverName === undefined ? {} : { 'tls-server-name': tls.serverName }),
    ...(tls.insecureSkipVerify === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(proxy === undefined ? {} : { 'proxy-url': proxy }),
  }
  const name = 'setpoint'
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  })
}

/** The fields of a user for the header of a request. */
function authorizationOf(header: string | readonly string[] | undefined): object {
  const [scheme, value = ''] = String(header ?? '').split(' ')
  if (scheme === 'Bearer') return { token: value }
  if (scheme !== 'Basic') return {}
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
  const [username = '', ...rest] = new TextDecoder().decode(bytes).split(':')
  return { username, password: rest.join(':') }
}

function data(field: string, text: string | undefined): object {
  if (text === undefined) return {}
  return { [field]: btoa(String.fromCharCode(...new TextEncoder().encode(text))) }
}
