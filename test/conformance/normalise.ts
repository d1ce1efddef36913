import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/**
 * Replaces values that differ between two servers: uids and the revisions of objects become
 * ordinals in the order in which a case meets them, so that equality is still compared. Revisions
 * of lists and bookmarks also count other clients' writes, so they are dropped.
 */
export class Normaliser {
  readonly #uids = new Map<string, string>()
  readonly #revisions = new Map<string, string>()
  readonly #namespace: string

  constructor(namespace: string) {
    this.#namespace = namespace
  }

  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (!isJsonObject(value)) return value
    // Protobuf includes an empty uid.
    const isIdentified = Object.hasOwn(value, 'uid') && value['uid'] !== ''
    const entries = Object.keys(value)
      .sort()
      .map((key): [string, JsonValue] => {
        const item = value[key] ?? null
        if (key === 'resourceVersion' && typeof item === 'string') {
          return [this.text(key), this.#revision(item, isIdentified)]
        }
        // The hash depends on the name of the group, which is new in every run.
        if (key === 'storageVersionHash') return [key, 'HASH']
        if (isRandomPort(key, item)) return [key, 'NODE-PORT']
        // The descriptions of columns are documentation, and ours are shorter.
        if (key === 'description' && Object.hasOwn(value, 'priority')) return [key, 'DESCRIPTION']
        if (key === 'cells' && Array.isArray(item))
          return [key, item.map((cell) => this.#cell(cell))]
        if (key === 'continue' && typeof item === 'string') return [key, this.#token(item)]
        if (key === 'managedFields' && Array.isArray(item)) return [key, this.#managers(item)]
        return [this.text(key), this.value(item)]
      })
    return Object.fromEntries(entries)
  }

  /**
   * Entries are ordered by time in seconds: the order of two entries depends on when the run began.
   */
  #managers(entries: readonly JsonValue[]): JsonValue {
    return entries
      .map((entry) => this.value(entry))
      .map((entry) => ({ entry, key: JSON.stringify(entry) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ entry }) => entry)
  }

  #cell(cell: JsonValue): JsonValue {
    return typeof cell === 'string' && /^\d+s$/.test(cell) ? 'AGE' : this.value(cell)
  }

  #revision(revision: string, isIdentified: boolean): string {
    if (!/^[1-9]\d*$/.test(revision)) return revision
    if (!isIdentified) return 'RV'
    let name = this.#revisions.get(revision)
    if (name === undefined) {
      name = `RV-${this.#revisions.size + 1}`
      this.#revisions.set(revision, name)
    }
    return name
  }

  /** The content of a continue token, without its revision. */
  #token(token: string): string {
    try {
      const decoded = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as JsonObject
      const revision = decoded['rv']
      return this.text(`TOKEN ${JSON.stringify({ ...decoded, rv: revision === -1 ? -1 : 'RV' })}`)
    } catch {
      return token
    }
  }

  text(text: string): string {
    return text
      .replaceAll(this.#namespace, 'NAMESPACE')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uid) =>
        uid.startsWith('00000000-') ? uid : this.#uid(uid),
      )
      .replace(
        /20[1-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
        (time, fraction: string | undefined) =>
          time.startsWith('2020-') ? time : fraction === undefined ? 'TIME' : 'MICROTIME',
      )
      .replace(
        /(resource version: |current: |in record \(|in the precondition \(|in object meta: |resourceVersion\W{1,8})\d{2,}/g,
        '$1RV',
      )
      .replace(/too old resource version: (?:\d+|RV) \(\d+\)/g, 'too old resource version: RV (RV)')
      .replace(/\b10\.96\.(?!0\.1\b|0\.10\b|1\.1\b)\d+\.\d+\b/g, 'CLUSTER-IP')
      .replace(/\b3[0-2]\d{3}\/(TCP|UDP)/g, 'NODE-PORT/$1')
      .replace(
        /(Duplicate value: |nodePort: \{\w+ |[nN]odePort: ?|nodePort\\*":)3(?!1111)[0-2]\d{3}\b/g,
        '$1NODE-PORT',
      )
      .replace(/(generated-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1XXXXX')
      .replace(/(kube-api-access-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1XXXXX')
      .replace(/\b127\.0\.0\.1:\d+/g, 'SERVER')
      .replace(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=HASH')
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
  }

  #uid(uid: string): string {
    let name = this.#uids.get(uid)
    if (name === undefined) {
      name = `UID-${this.#uids.size + 1}`
      this.#uids.set(uid, name)
    }
    return name
  }
}

/** Node ports are random; cases that choose one use 31111. */
function isRandomPort(key: string, value: JsonValue): boolean {
  if (key !== 'nodePort' && key !== 'healthCheckNodePort') return false
  return typeof value === 'number' && value >= 30_000 && value !== 31_111
}
