import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  encodeJson,
  encodeProtobuf,
  encodeProtobufItems,
  encodeProtobufList,
  encodeYaml,
  parseJson,
} from '../../codec/index.ts'
import type { Turns } from '../../limits/index.ts'
import type { OutputMedia } from './negotiate.ts'

/** The form of a converted text. */
interface ConvertedForm {
  readonly media: Pick<OutputMedia, 'format'>
  readonly turns: Turns
}

/** How many items of a list are converted in one step, unless they are large. */
const itemsPerStep = 200

/** Lists of at most this many items are small, or their items are few. */
const fewItems = 20

/** JSON text in another format. A long list is converted in steps, between which others run. */
export async function convertedText(
  text: string,
  { media, turns }: ConvertedForm,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const value = parseJson(text).value
  await turns.next()
  switch (media.format) {
    case 'protobuf':
      return protobufOf(value as JsonObject, turns)
    case 'yaml':
      return yamlOf(value, turns)
    case 'json':
      return prettyOf(value, turns)
  }
}

/** The items in slices, with a step between them. */
async function* slicesOf(
  items: readonly JsonValue[],
  turns: Turns,
): AsyncGenerator<readonly JsonValue[]> {
  const size = items.length <= fewItems ? 1 : itemsPerStep
  for (let at = 0; at < items.length; at += size) {
    yield items.slice(at, at + size)
    await turns.next()
  }
}

async function protobufOf(value: JsonObject, turns: Turns): Promise<Uint8Array<ArrayBuffer>> {
  const { items } = value
  if (!Array.isArray(items)) return encodeProtobuf(value)
  const parts: Uint8Array[] = []
  for await (const slice of slicesOf(items, turns)) parts.push(encodeProtobufItems(value, slice))
  return encodeProtobufList(value, parts)
}

/** The fields of a YAML document are independent texts, and so are the items of a list. */
async function yamlOf(value: JsonValue, turns: Turns): Promise<string> {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return encodeYaml(value)
  const parts: string[] = []
  for (const key of Object.keys(value).sort()) {
    const field = value[key] ?? null
    if (!Array.isArray(field) || field.length === 0) {
      parts.push(encodeYaml({ [key]: field }))
      continue
    }
    const head = `${key}:\n`
    parts.push(head)
    for await (const slice of slicesOf(field, turns)) {
      parts.push(encodeYaml({ [key]: [...slice] }).slice(head.length))
    }
  }
  return parts.join('')
}

/** Indented JSON; the items of a list are printed in slices. */
async function prettyOf(value: JsonValue, turns: Turns): Promise<string> {
  if (!isJsonObject(value)) return prettyJson(value)
  const parts: string[] = []
  for (const key of Object.keys(value)) {
    const field = value[key] ?? null
    parts.push(parts.length === 0 ? '{\n  ' : ',\n  ', `${encodeJson(key)}: `)
    if (!Array.isArray(field) || field.length === 0) {
      pushPretty(field, '\n  ', parts)
      continue
    }
    let separator = '['
    for await (const slice of slicesOf(field, turns)) {
      for (const item of slice) {
        parts.push(`${separator}\n    `)
        pushPretty(item, '\n    ', parts)
        separator = ','
      }
    }
    parts.push('\n  ]')
  }
  return parts.length === 0 ? '{}' : `${parts.join('')}\n}`
}

/** Indented like Go's encoder; big integers keep their digits. */
export function prettyJson(value: JsonValue): string {
  const parts: string[] = []
  pushPretty(value, '\n', parts)
  return parts.join('')
}

function pushPretty(value: JsonValue, newLine: string, parts: string[]): void {
  if (typeof value !== 'object' || value === null) {
    parts.push(encodeJson(value))
    return
  }
  const isList = Array.isArray(value)
  const keys = Object.keys(value)
  const inner = `${newLine}  `
  parts.push(isList ? '[' : '{')
  for (const [index, key] of keys.entries()) {
    parts.push(index === 0 ? inner : `,${inner}`)
    if (!isList) parts.push(`${encodeJson(key)}: `)
    pushPretty((value as JsonObject)[key] ?? null, inner, parts)
  }
  if (keys.length > 0) parts.push(newLine)
  parts.push(isList ? ']' : '}')
}
