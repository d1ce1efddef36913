import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseAllDocuments,
  Scalar,
  type Alias,
} from 'yaml'
import type { Document, YAMLMap, YAMLSeq } from 'yaml'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { ParsedText } from '../json/json-reader.ts'
import { JsonSyntaxError } from '../json/json-syntax-error.ts'
import { setOwn } from '../json/json-object.ts'
import { parsePlainJson } from '../json/parse-json.ts'
import { goYamlError } from './yaml-errors.ts'
import { refuseCostlyYaml, tooDeep } from './yaml-limits.ts'
import { resolvePlainScalar } from './yaml-scalar.ts'

/**
 * Parses YAML as sigs.k8s.io/yaml does: YAML 1.1, the first document only. Duplicate keys make one
 * entry of `duplicateFields`, which is the whole message of strict decoding.
 */
export function parseYaml(text: string): ParsedText {
  // Clients send JSON as YAML (kubectl's server-side apply does): a fast path for it.
  if (/^\s*\{/.test(text)) {
    const value = parsePlainJson(text)
    if (value !== undefined) return { value, duplicateFields: [] }
  }
  const document = readDocument(text)
  if (document === undefined) return { value: null, duplicateFields: [] }
  const converter = new YamlConverter(lineStarts(text))
  const value = converter.convert(document.contents)
  const { repeated } = converter
  const message = `yaml: unmarshal errors:\n${repeated.map((line) => `  ${line}`).join('\n')}`
  return { value, duplicateFields: repeated.length === 0 ? [] : [message] }
}

/** Characters that YAML does not allow. */
const control = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

function readDocument(text: string): Document | undefined {
  if (control.test(text)) throw new JsonSyntaxError('yaml: control characters are not allowed')
  refuseCostlyYaml(text)
  let documents
  try {
    documents = parseAllDocuments(text, {
      schema: 'failsafe',
      version: '1.1',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    })
  } catch (error) {
    // The parser recurses; Go refuses such a depth too.
    if (error instanceof RangeError) throw tooDeep(0)
    throw error
  }
  if ('empty' in documents) return undefined
  const [document] = documents
  const [error] = document?.errors ?? []
  const goError = error === undefined ? undefined : goYamlError(text, error)
  if (goError !== undefined) throw goError
  return document
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

type YamlNode = Document['contents'] | undefined

class YamlConverter {
  /** `line 7: key "a" already set in map` */
  readonly repeated: string[] = []
  readonly #anchors = new Map<string, YamlNode>()
  readonly #lineStarts: readonly number[]
  readonly #open = new Set<unknown>()
  #aliasDepth = 0
  #decoded = 0
  #decodedInAliases = 0

  constructor(starts: readonly number[]) {
    this.#lineStarts = starts
  }

  convert(node: YamlNode): JsonValue {
    this.#count()
    if (node === null || node === undefined) return null
    if (isAlias(node)) return this.#alias(node)
    // In the order of the text, so that an alias refers to the last anchor before it.
    if (node.anchor !== undefined && this.#aliasDepth === 0) this.#anchors.set(node.anchor, node)
    if (isScalar(node)) return scalarValue(node)
    if (isSeq(node)) return this.#list(node)
    return isMap(node) ? this.#map(node) : null
  }

  #list(node: YAMLSeq): JsonValue[] {
    this.#open.add(node)
    const items = node.items.map((item) => this.convert(item as YamlNode))
    this.#open.delete(node)
    return items
  }

  #map(node: YAMLMap): JsonObject {
    this.#open.add(node)
    const object: JsonObject = {}
    const merged: JsonObject = {}
    for (const { key, value } of node.items) {
      if (isScalar(key) && key.value === '<<' && isPlain(key)) {
        this.#merge(merged, value as YamlNode)
        continue
      }
      const name = this.#keyText(key as YamlNode, value as YamlNode)
      if (Object.hasOwn(object, name)) this.#noteRepeated(value, name)
      setOwn(object, name, this.convert(value as YamlNode))
    }
    this.#open.delete(node)
    for (const key of Object.keys(merged)) {
      if (!Object.hasOwn(object, key)) setOwn(object, key, merged[key] as JsonValue)
    }
    return object
  }

  #merge(into: JsonObject, node: YamlNode): void {
    const value = this.convert(node)
    for (const source of Array.isArray(value) ? value : [value]) {
      if (!isJsonObject(source)) {
        throw new JsonSyntaxError('yaml: map merge requires map or sequence of maps as the value')
      }
      for (const key of Object.keys(source)) {
        if (!Object.hasOwn(into, key)) setOwn(into, key, source[key] as JsonValue)
      }
    }
  }

  #keyText(key: YamlNode, value: YamlNode): string {
    const resolved = this.convert(key)
    if (typeof resolved === 'string') return resolved
    if (resolved === null) {
      const item = this.convert(value)
      const shown = item === null ? '<nil>' : JSON.stringify(item)
      throw new JsonSyntaxError(
        `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`,
      )
    }
    if (typeof resolved === 'object') {
      throw new JsonSyntaxError(`yaml: invalid map key: ${goSyntax(resolved)}`)
    }
    return String(resolved)
  }

  /** Go reports the line in which the second value begins. */
  #noteRepeated(value: unknown, name: string): void {
    const at = (isNode(value) ? value.range?.[0] : undefined) ?? 0
    const line = this.#lineOf(at)
    this.repeated.push(`line ${line}: key ${JSON.stringify(name)} already set in map`)
  }

  /** Binary search: there may be as many duplicate keys as lines. */
  #lineOf(at: number): number {
    let low = 0
    let high = this.#lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#lineStarts[middle] ?? 0) <= at) low = middle
      else high = middle
    }
    return low + 1
  }

  #alias(node: Alias): JsonValue {
    const target = this.#anchors.get(node.source)
    if (target === undefined) {
      throw new JsonSyntaxError(`yaml: unknown anchor '${node.source}' referenced`)
    }
    if (this.#open.has(target)) {
      throw new JsonSyntaxError(`yaml: anchor '${node.source}' value contains itself`)
    }
    this.#aliasDepth++
    const value = this.convert(target)
    this.#aliasDepth--
    return value
  }

  /**
   * Go's limit for documents that grow by aliases: the share of nodes from aliases shrinks with the
   * size.
   */
  #count(): void {
    this.#decoded++
    if (this.#aliasDepth > 0) this.#decodedInAliases++
    if (this.#decodedInAliases <= 100 || this.#decoded <= 1000) return
    const growth = Math.min(Math.max((this.#decoded - 400_000) / 3_600_000, 0), 1)
    const allowed = 0.99 - 0.89 * growth
    if (this.#decodedInAliases / this.#decoded > allowed) {
      throw new JsonSyntaxError('yaml: document contains excessive aliasing')
    }
  }
}

function isPlain(node: Scalar): boolean {
  return node.type === Scalar.PLAIN
}

function scalarValue(node: Scalar): JsonValue {
  const text = typeof node.value === 'string' ? node.value : ''
  switch (node.tag) {
    case undefined:
      return isPlain(node) ? resolvePlainScalar(text) : text
    case 'tag:yaml.org,2002:int':
    case 'tag:yaml.org,2002:float':
    case 'tag:yaml.org,2002:bool':
    case 'tag:yaml.org,2002:null':
      return taggedValue(text, node.tag.slice('tag:yaml.org,2002:'.length))
    case 'tag:yaml.org,2002:binary':
      return binaryText(text)
    default:
      return text
  }
}

/** A value with an explicit tag, which must match; integers are also floats. */
function taggedValue(text: string, tag: string): JsonValue {
  const value = resolvePlainScalar(text)
  const found = shortTag(value)
  if (found === tag || (found === 'int' && tag === 'float')) return value
  throw new JsonSyntaxError(`yaml: cannot decode !!${found} \`${text}\` as a !!${tag}`)
}

function shortTag(value: JsonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'bigint' ? 'int' : 'str'
}

function binaryText(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/\s/g, '')), (char) => char.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    throw new JsonSyntaxError('yaml: !!binary value contains invalid base64 data')
  }
}

/** A key that is a collection, as Go prints it with `%#v`. */
function goSyntax(value: JsonValue): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `"${key}":${goSyntax(item)}`)
  return `map[interface {}]interface {}{${fields.join(', ')}}`
}
