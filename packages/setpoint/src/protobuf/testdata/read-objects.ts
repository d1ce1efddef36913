import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import * as kinds from '../../kinds/index.ts'
import type { MessageTable } from '../message-table.ts'

/** An object that a real server sent in both encodings. */
interface RecordedObject {
  readonly name: string
  readonly object: { readonly apiVersion: string; readonly kind: string; readonly metadata: object }
  /** The message, without its envelope. */
  readonly message: Buffer
  readonly table: MessageTable
}

interface Recorded {
  readonly object: RecordedObject['object'] & { readonly metadata: { readonly name: string } }
  readonly protobuf: string
}

/** All recorded objects. */
export function readObjects(): RecordedObject[] {
  const file = new URL('objects.json.gz', import.meta.url)
  const all = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recorded[]
  return all.map(({ object, protobuf }) => {
    const { kind, apiVersion, metadata } = object
    const found = Object.values(kinds).find(
      (one) => 'plural' in one && one.kind === kind && one.apiVersion === apiVersion,
    )
    const table = found !== undefined && 'protobuf' in found ? found.protobuf : undefined
    if (table === undefined) throw new Error(`${apiVersion} ${kind} has no table`)
    const message = contentOf(Buffer.from(protobuf, 'base64'))
    return { name: `${kind} ${metadata.name}`, object, message, table }
  })
}

/** The second field of an envelope; before it is the type, whose length is below 128. */
function contentOf(envelope: Buffer): Buffer {
  let at = 4 + 2 + (envelope[5] ?? 0) + 1
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = envelope[at++] ?? 0
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) return envelope.subarray(at, at + length)
  }
}
