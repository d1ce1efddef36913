import type { ServerResponse } from 'setpoint/host'

const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
const info = { title: 'Kubernetes', version: 'v1.36.3' }

/**
 * `/openapi/v2` without any definitions. Current clients use version 3. kubectl asks for version 2
 * only about kinds that version 3 does not describe (`kind: List`), and does not validate a kind
 * without a definition.
 */
export function emptyVersion2(accept: string): ServerResponse {
  if (!accept.includes('proto-openapi.spec.v2')) {
    const document = { swagger: '2.0', info, paths: {}, definitions: {} }
    const headers = { 'content-type': 'application/json' }
    return { status: 200, headers, body: JSON.stringify(document) }
  }
  return { status: 200, headers: { 'content-type': protobufType }, body: encodedDocument() }
}

/** The same document as the protobuf message of gnostic: swagger is field 1, info 2, paths 8. */
function encodedDocument(): Uint8Array {
  const inner = [...textField(1, info.title), ...textField(2, info.version)]
  return Uint8Array.from([...textField(1, '2.0'), ...field(2, inner), ...field(8, [])])
}

function textField(number: number, text: string): number[] {
  return field(number, [...new TextEncoder().encode(text)])
}

/** A length-delimited field; everything here is shorter than 128 bytes. */
function field(number: number, content: readonly number[]): number[] {
  return [(number << 3) | 2, content.length, ...content]
}
