import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { gnosticMessages } from './gnostic-messages.ts'

/** A document of OpenAPI v2 in the protobuf encoding of gnostic. */
export function encodeGnostic(document: JsonObject): Uint8Array {
  return encodeMessage('Document', document)
}

const scalars: Readonly<Record<string, (number: number, value: JsonValue) => Buffer[]>> = {
  string: (number, value) => (value === '' ? [] : delimited(number, Buffer.from(textOf(value)))),
  bool: (number, value) => (value === true ? [varint(number << 3), varint(1)] : []),
  int: (number, value) => (value === 0 ? [] : [varint(number << 3), varint(numberOf(value))]),
  double: (number, value) => {
    if (value === 0) return []
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(numberOf(value))
    return [varint((number << 3) | 1), bytes]
  },
}

function encodeMessage(name: string, value: JsonObject): Buffer {
  const message = gnosticMessages[name] ?? {}
  const chunks: Buffer[] = []
  const fields = Object.entries(message).sort(([, a], [, b]) => a.number - b.number)
  for (const [field, { number, type, isRepeated }] of fields) {
    if (type === 'extension') {
      chunks.push(...extensionsOf(number, value))
      continue
    }
    const item = value[field]
    if (item === undefined || item === null) continue
    const items = isRepeated === true && Array.isArray(item) ? item : [item]
    for (const each of items) chunks.push(...encodeField(number, type, each))
  }
  return Buffer.concat(chunks)
}

function encodeField(number: number, type: string, value: JsonValue): Buffer[] {
  const scalar = scalars[type]
  return scalar === undefined ? delimited(number, encodeValue(type, value)) : scalar(number, value)
}

/** The content of a message that is not a list of plain fields, or of one that is. */
function encodeValue(type: string, value: JsonValue): Buffer {
  const [form = '', inner = ''] = type.split(':')
  const object = isJsonObject(value) ? value : {}
  switch (form) {
    case 'any':
      return encodeAny(value)
    case 'map':
      return encodeNamed(1, inner, object)
    case 'Paths':
      return encodeNamed(2, 'PathItem', object)
    case 'wrapped':
      return Buffer.concat(encodeField(1, inner, value))
    case 'AdditionalPropertiesItem':
      return Buffer.concat(
        isJsonObject(value) ? encodeField(1, 'Schema', value) : encodeField(2, 'bool', value),
      )
    case 'ParametersItem':
      return encodeParameter(object)
    case 'ResponseValue':
      return Buffer.concat(
        object['$ref'] === undefined
          ? encodeField(1, 'Response', value)
          : encodeField(2, 'JsonReference', value),
      )
    case 'SecurityDefinitionsItem':
      return Buffer.concat(encodeField(2, 'ApiKeySecurity', value))
    case 'SecurityRequirement':
      return encodeNamed(1, 'StringArray', object)
    case 'StringArray':
      return Buffer.concat(
        (Array.isArray(value) ? value : []).flatMap((each) => encodeField(1, 'string', each)),
      )
    default:
      return encodeMessage(type, object)
  }
}

/** An object as a list of names and values. */
function encodeNamed(number: number, type: string, object: JsonObject): Buffer {
  return Buffer.concat(
    Object.entries(object).flatMap(([name, value]) =>
      delimited(
        number,
        Buffer.concat([...encodeField(1, 'string', name), ...encodeField(2, type, value)]),
      ),
    ),
  )
}

function encodeParameter(parameter: JsonObject): Buffer {
  if (parameter['$ref'] !== undefined)
    return Buffer.concat(encodeField(2, 'JsonReference', parameter))
  const place = parameter['in']
  if (place === 'body') {
    return Buffer.concat(delimited(1, Buffer.concat(encodeField(1, 'BodyParameter', parameter))))
  }
  const simple =
    place === 'path'
      ? encodeField(4, 'PathParameter', parameter)
      : encodeField(3, 'QueryParameter', parameter)
  return Buffer.concat(delimited(1, Buffer.concat(delimited(2, Buffer.concat(simple)))))
}

function extensionsOf(number: number, value: JsonObject): Buffer[] {
  return Object.entries(value)
    .filter(([name]) => name.startsWith('x-'))
    .flatMap(([name, item]) =>
      delimited(
        number,
        Buffer.concat([...encodeField(1, 'string', name), ...encodeField(2, 'any', item)]),
      ),
    )
}

/** A value as YAML text; JSON is YAML. */
function encodeAny(value: JsonValue): Buffer {
  return Buffer.concat(encodeField(2, 'string', `${JSON.stringify(value)}\n`))
}

function delimited(number: number, content: Buffer): Buffer[] {
  return [varint((number << 3) | 2), varint(content.length), content]
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, BigInt(value))
  while (left > 127n) {
    bytes.push(Number(left & 127n) | 128)
    left >>= 7n
  }
  return Buffer.from([...bytes, Number(left)])
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function numberOf(value: JsonValue): number {
  return typeof value === 'number' ? value : 0
}
