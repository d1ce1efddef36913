import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { durationText, encodeJson } from '../codec/index.ts'
import {
  type AuditConfiguration,
  type AuditLevel,
  auditLevels,
  type AuditStage,
} from './audit-policy.ts'
import { withoutManagedFields } from './without-managed-fields.ts'

/** A user in an event. */
interface AuditedUser {
  readonly name: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The object that a request is about. */
interface ObjectReference {
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly group: string
  readonly version: string
  readonly subresource: string
}

/** What is known when a request arrives. */
export interface ReceivedRequest {
  readonly auditId: string
  readonly uri: string
  readonly verb: string
  readonly user: AuditedUser | undefined
  readonly sourceAddresses: readonly string[]
  readonly userAgent: string
  /** `undefined` for paths that are not resources. */
  readonly object: ObjectReference | undefined
  readonly receivedMs: number
}

/** How events of a request are written. */
interface EventSink {
  readonly configuration: AuditConfiguration
  readonly now: () => number
  readonly write: (line: string) => void
}

const userAgentMax = 1024

/** Requests that take longer have annotations with latencies. */
const slowMs = 500

/** Collects the parts of the audit events of one request, and writes an event for each stage. */
export class AuditedRequest {
  readonly #request: ReceivedRequest
  readonly #sink: EventSink
  readonly #annotations = new Map<string, string>()
  #impersonated: AuditedUser | undefined
  #object: { name: string; namespace: string; uid: string; resourceVersion: string } | undefined
  #requestObject: JsonValue | undefined
  #responseObject: JsonValue | undefined
  #status: JsonObject | undefined
  readonly #layerMs = new Map<string, number>()
  #isLong = false

  constructor(request: ReceivedRequest, sink: EventSink) {
    this.#request = request
    this.#sink = sink
  }

  /** Whether events have at least this level. */
  has(level: AuditLevel): boolean {
    const own = auditLevels.indexOf(this.#sink.configuration.level)
    return own >= auditLevels.indexOf(level)
  }

  impersonated(user: AuditedUser): void {
    this.#impersonated = user
  }

  /** Adds an annotation; the first value of a key stays. */
  annotate(key: string, value: string, level: AuditLevel = 'Metadata'): void {
    if (this.has(level) && !this.#annotations.has(key)) this.#annotations.set(key, value)
  }

  /** Records the time of a layer. Mutating webhooks run one after the other, others together. */
  took(layer: string, ms: number): void {
    const before = this.#layerMs.get(layer) ?? 0
    this.#layerMs.set(layer, layer === 'mutating-webhook' ? before + ms : Math.max(before, ms))
  }

  /** A slow request has its latencies in annotations. */
  #annotateLatencies(totalMs: number): void {
    if (totalMs <= slowMs) return
    for (const [layer, ms] of [...this.#layerMs, ['total', totalMs] as const]) {
      if (ms > 0) this.annotate(`apiserver.latency.k8s.io/${layer}`, durationText(nanosOf(ms)))
    }
  }

  /** The object that was sent, with its defaults. It may change later, so it is copied. */
  requestObject(object: JsonObject): void {
    const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {}
    const text = (name: string): string => {
      const value = metadata[name]
      return typeof value === 'string' ? value : ''
    }
    const [name, namespace] = [text('name'), text('namespace')]
    this.#object = { name, namespace, uid: text('uid'), resourceVersion: text('resourceVersion') }
    if (this.has('Request')) this.#requestObject = structuredClone(this.#bare(object))
  }

  requestPatch(patch: JsonValue): void {
    if (this.has('Request')) this.#requestObject = patch
  }

  /** The object that is answered, as text in parts; they are only read if they are logged. */
  answered(text: string | { readonly parts: Iterable<string> }): void {
    const isStatus = typeof text === 'string' && text.startsWith('{"kind":"Status"')
    if (!isStatus && !this.has('RequestResponse')) return
    const whole = typeof text === 'string' ? text : [...text.parts].join('')
    const object = JSON.parse(whole) as JsonValue
    if (!isJsonObject(object)) return
    if (object['kind'] === 'Status') this.#status = statusOf(object)
    if (this.has('RequestResponse')) this.#responseObject = this.#bare(object)
  }

  /** Writes the event of a stage; `code` is that of the response. */
  stage(stage: AuditStage, code?: number): void {
    const { configuration, write, now } = this.#sink
    // Only requests that run long have this stage: their time says nothing.
    if (stage === 'ResponseStarted') this.#isLong = true
    if (stage === 'ResponseComplete' && !this.#isLong) {
      this.#annotateLatencies(now() - this.#request.receivedMs)
    }
    if (configuration.omitStages.has(stage)) return
    const isReceived = stage === 'RequestReceived'
    const atMs = isReceived ? this.#request.receivedMs : now()
    write(encodeJson(this.#event(stage, atMs, code)))
  }

  #bare(object: JsonObject): JsonObject {
    return this.#sink.configuration.omitManagedFields ? withoutManagedFields(object) : object
  }

  /** In the order in which a real server writes the fields. */
  #event(stage: AuditStage, atMs: number, code: number | undefined): JsonObject {
    const { auditId, uri, verb, user, sourceAddresses, userAgent, receivedMs } = this.#request
    const status = code === undefined ? undefined : { metadata: {}, ...this.#status, code }
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: this.#sink.configuration.level,
      auditID: auditId,
      stage,
      requestURI: uri,
      verb,
      user: user === undefined ? {} : userOf(user),
      ...(this.#impersonated && { impersonatedUser: userOf(this.#impersonated) }),
      ...(sourceAddresses.length > 0 && { sourceIPs: [...sourceAddresses] }),
      ...(userAgent !== '' && { userAgent: shortened(userAgent) }),
      ...(this.#request.object && { objectRef: this.#reference(this.#request.object) }),
      ...(status && { responseStatus: status }),
      ...(this.#requestObject !== undefined && { requestObject: this.#requestObject }),
      ...(this.#responseObject !== undefined && { responseObject: this.#responseObject }),
      requestReceivedTimestamp: microTime(receivedMs),
      stageTimestamp: microTime(atMs),
      ...(this.#annotations.size > 0 && { annotations: sortedEntries(this.#annotations) }),
    }
  }

  #reference({
    resource,
    namespace,
    name,
    group,
    version,
    subresource,
  }: ObjectReference): JsonObject {
    const sent = this.#object
    return withoutEmpty({
      resource,
      namespace: namespace === '' ? (sent?.namespace ?? '') : namespace,
      name: name === '' ? (sent?.name ?? '') : name,
      uid: sent?.uid ?? '',
      apiGroup: group,
      apiVersion: version,
      resourceVersion: sent?.resourceVersion ?? '',
      subresource,
    })
  }
}

function statusOf({ status, message, reason, details }: JsonObject): JsonObject {
  const parts = { status, message, reason, details }
  return Object.fromEntries(
    Object.entries(parts).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  )
}

function userOf({ name, uid = '', groups, extra = {} }: AuditedUser): JsonObject {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(extra).length > 0 && {
      extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
    }),
  }
}

function withoutEmpty(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

function sortedEntries(entries: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function shortened(userAgent: string): string {
  if (userAgent.length <= userAgentMax) return userAgent
  return `${userAgent.slice(0, userAgentMax)}...TRUNCATED`
}

function nanosOf(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000_000))
}

/** RFC 3339 with microseconds. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}
