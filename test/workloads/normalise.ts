/**
 * Replaces values that differ between two clusters, and no others: a uid becomes its object,
 * template hashes become ordinals in the order of their appearance, generated names keep their
 * format, times become `<time>`.
 */
import { X509Certificate } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The known values of a scenario besides its objects. */
export interface Known {
  readonly namespace: string
  /** Template hashes, oldest first. */
  readonly hashes: readonly string[]
  /** The object of a uid, even of a deleted one. */
  readonly ownerOf: (uid: string) => string | undefined
}

const uidPattern = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
/** The generated suffix of a name: five of the characters that servers use. */
const generatedPattern = /-[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/g

/** Replaces values in a text that differ between runs. */
export function normalText(text: string, known: Known): string {
  const named = text
    .replaceAll(known.namespace, 'NS')
    .replaceAll(Buffer.from(known.namespace).toString('base64'), '<NS in base64>')
    .replace(uidPattern, (uid) => identity(uid, known))
    .replace(generatedPattern, '-<id>')
  const hashed = known.hashes.reduce(
    (result, hash, index) =>
      result.replace(new RegExp(`(?<![a-z0-9])${hash}(?![a-z0-9])`, 'g'), `<hash${index + 1}>`),
    named,
  )
  return hashed
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<microtime>')
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
    .replace(/\b\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d ([+-]\d{4}|UTC)/g, '<time>')
    .replace(/\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000 UTC( m=\S+)?/g, '<time>')
    .replace(/-\d{8}\b/g, '-<minute>')
    .replace(/\bNS-any-\d\b/g, 'NS-<any>')
    .replace(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=<hash>')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replace(/\b10\.96\.\d+\.\d+\b/g, '<service-ip>')
    .replace(/\b10\.244\.\d+\.\d+\b/g, '<pod-ip>')
}

function identity(uid: string, known: Known): string {
  const owner = known.ownerOf(uid)
  if (uid.startsWith('00000000-')) return uid
  return owner === undefined ? '<uid>' : `<uid of ${normalText(owner, known)}>`
}

/** Lists of endpoints, whose order follows from hashes of uids. Other lists keep their order. */
const unordered = new Set(['endpoints', 'subsets', 'addresses', 'notReadyAddresses', 'ports'])

/** Replaces values in an object that differ between runs. */
export function normalObject(object: JsonObject, known: Known): JsonObject {
  const { metadata, ...rest } = object
  const shown = isJsonObject(metadata) ? { metadata: normalMetadata(metadata), ...rest } : rest
  const isOfEndpoints = Object.hasOwn(object, 'endpoints') || Object.hasOwn(object, 'subsets')
  return normalValue(shown, { ...known, isOfEndpoints }, '') as JsonObject
}

interface Context extends Known {
  readonly isOfEndpoints: boolean
}

function normalMetadata({ uid: _uid, resourceVersion: _, ...metadata }: JsonObject): JsonObject {
  const { managedFields, ...rest } = metadata
  return Array.isArray(managedFields) ? { ...rest, managers: managersOf(managedFields) } : rest
}

/** The field managers without their fields, which would be too long to read. */
function managersOf(entries: readonly JsonValue[]): string[] {
  const managers = entries.map((entry) => {
    const { manager, operation, subresource } = entry as Record<string, string | undefined>
    return [manager, operation, subresource].filter(Boolean).join(' ')
  })
  return [...new Set(managers)].sort()
}

function normalValue(value: JsonValue, known: Context, key: string): JsonValue {
  if (typeof value === 'string') return normalWord(value, known, key)
  if (typeof value === 'number') return /odePort$/.test(key) ? '<node-port>' : value
  if (Array.isArray(value)) {
    const items = value.map((item) => normalValue(item, known, ''))
    return known.isOfEndpoints && unordered.has(key) ? sorted(items) : items
  }
  if (!isJsonObject(value)) return value
  const entries = Object.keys(value)
    .sort()
    .map((name): [string, JsonValue] => [
      normalText(name, known),
      normalValue(value[name] ?? null, known, name),
    ])
  return Object.fromEntries(entries)
}

function normalWord(value: string, known: Known, key: string): string {
  if (key === 'ca.crt') return '<ca>'
  if (key === 'token') return '<token>'
  if (key === 'resourceVersion') return '<version>'
  if (key === 'certificate') return certificateShape(value)
  return normalText(value, known)
}

/** The content of a certificate without its key, serial number and issuer. */
function certificateShape(base64: string): string {
  const parsed = new X509Certificate(Buffer.from(base64, 'base64'))
  const hours = (Date.parse(parsed.validTo) - Date.parse(parsed.validFrom)) / 3_600_000
  const uses = [...parsed.keyUsage].sort().join(' ')
  const names = parsed.subjectAltName ?? 'none'
  const subject = parsed.subject.split('\n').sort().join(' ')
  const validity = hours > 48 ? `${Math.round(hours / 24)} days` : `${Math.round(hours)} hours`
  return `<certificate of ${subject}; names ${names}; uses ${uses}; authority ${parsed.ca}; ${validity}>`
}

/** Sorts by text, which is the same order on both clusters. */
function sorted<T extends JsonValue>(items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, key: JSON.stringify(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
}

/** Equal items once, with their count. */
export function counted<T extends JsonValue>(items: readonly T[]): { item: T; times: number }[] {
  const found: { item: T; key: string; times: number }[] = []
  for (const item of sorted(items)) {
    const key = JSON.stringify(item)
    const last = found.at(-1)
    if (last?.key === key) last.times += 1
    else found.push({ item, key, times: 1 })
  }
  return found.map(({ item, times }) => ({ item, times }))
}
