import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { convertSchema } from './convert-schema.ts'

/** The order in which a real server lists media types; others follow. */
const typeOrder = [
  'text/plain',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]

const reasons: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
}

/** The paths of a document of OpenAPI v3 in version 2. */
export function convertPaths(paths: JsonValue | undefined, isCustom: boolean): JsonObject {
  return mapObjects(paths, (path) =>
    Object.fromEntries(
      Object.entries(path).map(([name, value]) => [
        name,
        name === 'parameters'
          ? listOf(value).map(parameterOf)
          : operationOf(objectOf(value), isCustom),
      ]),
    ),
  )
}

function operationOf(operation: JsonObject, isCustom: boolean): JsonObject {
  const { parameters, requestBody, responses, ...rest } = operation
  const body = objectOf(requestBody)
  const all = [...bodyParameter(body), ...listOf(parameters).map(parameterOf)]
  const produces = sortedTypes(
    Object.values(objectOf(responses)).flatMap((response) =>
      Object.keys(objectOf(objectOf(response)['content'])),
    ),
  )
  const consumes = consumedTypes(operation, { produces, isCustom })
  return {
    ...(consumes.length === 0 ? {} : { consumes }),
    produces,
    schemes: ['https'],
    ...rest,
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: Object.fromEntries(
      Object.entries(objectOf(responses)).map(([code, response]) => [
        code,
        responseOf(code, objectOf(response)),
      ]),
    ),
  }
}

/** Operations of resources accept any type; those of discovery accept what they produce. */
function consumedTypes(
  operation: JsonObject,
  { produces, isCustom }: { readonly produces: readonly string[]; readonly isCustom: boolean },
): string[] {
  const sent = Object.keys(objectOf(objectOf(operation['requestBody'])['content']))
  if (sent.length > 0) return sortedTypes(sent)
  if (isCustom) return sortedTypes(['application/json', 'application/yaml'])
  if (operation['x-kubernetes-action'] !== undefined) return ['*/*']
  const isDocument = operation['operationId'] === 'getCodeVersion'
  return isDocument || produces.includes('application/yaml') ? [...produces] : []
}

function sortedTypes(types: readonly string[]): string[] {
  const place = (type: string): number =>
    typeOrder.includes(type) ? typeOrder.indexOf(type) : typeOrder.length
  return [...new Set(types)].sort((a, b) => place(a) - place(b))
}

function bodyParameter({ content, required }: JsonObject): JsonObject[] {
  const [media] = Object.values(objectOf(content))
  const { schema } = objectOf(media)
  if (schema === undefined) return []
  return [
    {
      name: 'body',
      in: 'body',
      ...(required === true ? { required } : {}),
      schema: convertSchema(objectOf(schema)),
    },
  ]
}

function parameterOf(value: JsonValue): JsonObject {
  const { schema, ...parameter } = objectOf(value)
  return { ...convertSchema(objectOf(schema)), ...parameter }
}

function responseOf(code: string, { content, description }: JsonObject): JsonObject {
  const [media] = Object.values(objectOf(content))
  const { schema } = objectOf(media)
  return {
    description: description ?? reasons[code] ?? '',
    ...(schema === undefined ? {} : { schema: convertSchema(objectOf(schema)) }),
  }
}

function mapObjects(
  value: JsonValue | undefined,
  convert: (item: JsonObject) => JsonObject,
): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([name, item]) => [name, convert(objectOf(item))]),
  )
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
