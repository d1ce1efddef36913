import type { Kind } from '../kinds/kind.ts'
import {
  decodeMessage,
  editObject,
  encodeObject,
  type FieldEdit,
  type MessagePlan,
  planOf,
  scanEnvelope,
  scanMessage,
  type StoredMessage,
} from '../protobuf/index.ts'
import type { ApiCall } from './transport/api-call.ts'
import { isApiError } from './transport/api-error.ts'
import type { WriteOptions } from './transport/call-options.ts'
import { objectIn } from './transport/call-outcome.ts'
import type { Client } from './client.ts'
import { describeObject, namespaceOf, type ObjectRef, placeOf, resourcePath } from './object-ref.ts'
import {
  acceptProtobuf,
  isProtobuf,
  protobufType,
  withIdentity,
} from './transport/representation.ts'
import type { Transport } from './transport/transport.ts'
import { writeQuery } from './write-requests.ts'

export type { FieldEdit }

/** An object to create in protobuf. */
interface Creation {
  readonly object: { readonly metadata: { readonly name: string; readonly namespace?: string } }
  readonly options: WriteOptions
}

/**
 * Creates an object in protobuf, which costs a server an eighth less than JSON. `undefined` when it
 * has to be sent as JSON. The result is like an object in the cache: without `managedFields` and
 * without fields that the tables do not have.
 */
export async function createInProtobuf(
  client: Client,
  kind: Kind,
  { object, options }: Creation,
): Promise<object | undefined> {
  const plan = planFor(client.transport, kind)
  const body = plan === undefined ? undefined : encodeObject(plan, object)
  if (plan === undefined || body === undefined) return undefined
  const { name, namespace } = object.metadata
  const place = { namespace: namespaceOf(kind, namespace, client.namespace) }
  const named = { ...place, name: name === '' ? '(generated)' : name }
  const what = `create of ${describeObject(kind, named)}`
  const call = { method: 'POST', path: resourcePath(kind, place), body, what } as const
  return sendWrite({ client, kind, plan }, call, options)
}

/** Changes of some fields of an object. */
interface FieldChanges {
  readonly ref: ObjectRef
  /** The object as it was read. */
  readonly stored: StoredMessage
  readonly edits: readonly FieldEdit[]
  readonly options: WriteOptions
}

/**
 * Replaces an object with some fields changed, with an optimistic lock. That costs a server a fifth
 * less than a patch, and loses nothing, because all other bytes are sent back unchanged.
 * `undefined` when it has to be patched.
 */
export async function replaceInProtobuf(
  client: Client,
  kind: Kind,
  { ref, stored, edits, options }: FieldChanges,
): Promise<object | undefined> {
  const plan = planFor(client.transport, kind)
  // A status subresource is not written with the object, so it is not sent.
  const hasStatusSubresource = kind.subresources.includes('status')
  const all = hasStatusSubresource ? [...edits, { path: ['status'], value: null }] : edits
  const body = plan === undefined ? undefined : editObject(plan, stored, all)
  if (plan === undefined || body === undefined) return undefined
  const place = placeOf(kind, ref, client.namespace)
  const what = `update of ${describeObject(kind, place)}`
  const call = { method: 'PUT', path: resourcePath(kind, place), body, what } as const
  return sendWrite({ client, kind, plan }, call, options)
}

const plans = new WeakMap<Kind, MessagePlan>()

/** Servers, or proxies in front of them, that do not accept protobuf. */
const refusing = new WeakSet<Transport>()

/**
 * How objects of a kind are encoded; `undefined` when they are sent as JSON. Within a process
 * protobuf would save nothing.
 */
function planFor(transport: Transport, kind: Kind): MessagePlan | undefined {
  if (kind.protobuf === undefined || kind.part !== undefined) return undefined
  if (transport.isLocal || refusing.has(transport)) return undefined
  const known = plans.get(kind)
  if (known !== undefined) return known
  const plan = planOf(kind.protobuf, { apiVersion: kind.apiVersion, kind: kind.kind })
  plans.set(kind, plan)
  return plan
}

async function sendWrite(
  { client, kind, plan }: { client: Client; kind: Kind; plan: MessagePlan },
  target: ApiCall,
  { signal, timeout, ...options }: WriteOptions,
): Promise<object | undefined> {
  const call = {
    ...target,
    headers: { accept: acceptProtobuf, 'content-type': protobufType },
    query: writeQuery(options),
    signal,
    timeout,
  }
  try {
    const answer = await client.transport.bytes(call)
    const { buffer, byteOffset, byteLength } = answer.bytes
    if (!isProtobuf(answer.headers)) return withIdentity(kind, objectIn(call, answer))
    return decoded(plan, Buffer.from(buffer, byteOffset, byteLength))
  } catch (error) {
    if (!isApiError(error) || error.status.code !== unsupportedMediaType) throw error
    refusing.add(client.transport)
    return undefined
  }
}

const unsupportedMediaType = 415

/** The object in a response, without `managedFields`. */
function decoded(plan: MessagePlan, answer: Buffer): object {
  const { content } = scanMessage(answer, scanEnvelope(answer))
  const bytes = Buffer.allocUnsafe(content.byteLength)
  content.copyTo(bytes, 0)
  return decodeMessage(plan, bytes, { offset: 0, length: bytes.length })
}
