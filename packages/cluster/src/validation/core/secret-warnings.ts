import type { Secret } from 'setpoint/kinds'
import { base64Text } from '../fields/base64.ts'
import type { Decoded } from '../go/decoded.ts'
import type { WarningInput } from '../warning-input.ts'

/** The types of the PEM blocks of a text, in order. */
function blockTypes(text: string): string[] {
  const block = /(?:^|\n)-----BEGIN ([^\n-]*)-----[ \t]*\r?\n([^-]*?)-----END \1-----/g
  return [...text.matchAll(block)].map(([, type = '']) => type)
}

/** Warns about a TLS pair that cannot be used; whether certificate and key match is not checked. */
export function secretWarnings({ object }: WarningInput<Decoded<Secret>>): string[] {
  const { type, data = {} } = object
  if (type !== 'kubernetes.io/tls') return []
  const certificates = blockTypes(base64Text(data['tls.crt'] ?? ''))
  if (!certificates.includes('CERTIFICATE')) return [noCertificate(certificates)]
  const keys = blockTypes(base64Text(data['tls.key'] ?? ''))
  return keys.some((name) => name.endsWith('PRIVATE KEY')) ? [] : [noKey(keys)]
}

function noCertificate(found: readonly string[]): string {
  if (found.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (found.length === 1 && found[0]?.endsWith('PRIVATE KEY') === true) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  }
  const skipped = `[${found.join(' ')}]`
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${skipped}`
}

function noKey(found: readonly string[]): string {
  if (found.length === 0) return 'tls: failed to find any PEM data in key input'
  if (found.length === 1 && found[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key'
  }
  const skipped = `[${found.join(' ')}]`
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${skipped}`
}
