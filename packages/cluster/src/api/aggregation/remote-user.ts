import type { UserInfo } from '../../auth/index.ts'

/** The headers by which the server of an aggregated API learns the user of a request. */
export function remoteUserHeaders(user: UserInfo): Record<string, string | string[]> {
  const { name, uid = '', groups, extra = {} } = user
  return {
    'x-remote-user': headerText(name),
    ...(uid === '' ? {} : { 'x-remote-uid': headerText(uid) }),
    ...(groups.length === 0 ? {} : { 'x-remote-group': groups.map(headerText) }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `x-remote-extra-${escapedKey(key).toLowerCase()}`,
        values.map(headerText),
      ]),
    ),
  }
}

/** Whether a header of the client would claim to be another user. */
export function isRemoteUserHeader(name: string): boolean {
  return (
    name === 'x-remote-user' ||
    name === 'x-remote-uid' ||
    name === 'x-remote-group' ||
    name.startsWith('x-remote-extra-')
  )
}

/** Header values are bytes: a name that is not ASCII is sent as UTF-8. */
function headerText(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

/** A key with what a header name cannot have as percent-encoded bytes. */
function escapedKey(key: string): string {
  return [...Buffer.from(key, 'utf8')]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      if (/[A-Za-z0-9!#$&'*+\-.^_`|~]/.test(char)) return char
      return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
