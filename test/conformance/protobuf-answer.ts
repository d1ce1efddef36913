import type { JsonValue } from 'setpoint/schema'
import { decodeProtobuf } from '../../packages/cluster/src/codec/index.ts'

/** What the media type of an answer in protobuf begins with; that of a watch has a parameter. */
const protobufType = 'application/vnd.kubernetes.protobuf'

/** Whether an answer is to be read with `protobufValue`, or `protobufEvents` if it is a stream. */
export function isProtobuf(contentType: string | undefined): boolean {
  return contentType?.startsWith(protobufType) === true
}

/**
 * An object in protobuf as a value, with the zero values that were sent: their presence is
 * compared, too.
 */
export function protobufValue(bytes: Uint8Array): JsonValue {
  return decodeProtobuf(bytes).value
}

/** The events of a watch in protobuf. */
export async function* protobufEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<JsonValue> {
  let rest = Buffer.alloc(0)
  for await (const bytes of body) {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
      const end = 4 + rest.readUInt32BE(0)
      const { type, object } = decodeProtobuf(enveloped(rest.subarray(4, end))).value
      yield { type: type ?? null, object: object ?? null }
      rest = rest.subarray(end)
    }
  }
  if (rest.length > 0) yield `${rest.length} bytes of an event`
}

/**
 * Events come without the envelope that objects have: this is one, up to the length of its content.
 */
function enveloped(event: Uint8Array): Uint8Array {
  const head = Buffer.from('k8s\0\n\x10\n\x02v1\x12\nWatchEvent\x12', 'latin1')
  const length: number[] = []
  let left = event.length
  for (; left > 127; left = Math.floor(left / 128)) length.push((left % 128) + 128)
  return Buffer.concat([head, Uint8Array.from([...length, left]), event])
}
