import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { parseYaml } from '../codec/index.ts'
import { OutboundError } from './outbound-error.ts'

/** The kind of a review, in the version that was sent to the webhook. */
interface ReviewKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Reads the review that a webhook sent back; throws an `OutboundError` if it is something else. */
export function readReview(text: string, expected: ReviewKind): JsonObject {
  const review = parsed(text)
  checkKind(review, expected)
  return review
}

/** The apiVersion and kind of a review, as Go prints them. */
export function shownKind(review: JsonObject): string {
  const { apiVersion, kind } = identityOf(review)
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`
}

function identityOf(review: JsonObject): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: textOf(review['apiVersion']), kind: textOf(review['kind']) }
}

function parsed(text: string): JsonObject {
  let value: JsonValue
  try {
    // A real server reads YAML too.
    value = parseYaml(text).value
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OutboundError(`couldn't get version/kind; json parse error: ${why}`)
  }
  if (isJsonObject(value)) return value
  throw new OutboundError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  )
}

/** A kind that the server knows is converted; it must be the one that was sent. */
function checkKind(review: JsonObject, expected: ReviewKind): void {
  const { apiVersion, kind } = identityOf(review)
  if (apiVersion === '' || kind === '') return
  const [group, version = ''] = apiVersion.split('/')
  const isKnown = group === expected.group && (version === 'v1' || version === 'v1beta1')
  if (!isKnown || kind !== expected.kind) {
    throw new OutboundError(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  if (version === expected.version) return
  throw new OutboundError(
    `converting (${version}.${kind}) to (${expected.version}.${kind}): unknown conversion`,
  )
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
