import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const

/**
 * A document of OpenAPI v2 in version 3, as a real server converts those of servers that have no
 * version 3. Media types, forms of collections and examples get lost.
 */
export function version3Of(document: JsonObject): JsonObject {
  const { info, externalDocs, paths, definitions, securityDefinitions, responses } = document
  return defined({
    openapi: '3.0.0',
    info,
    externalDocs,
    paths: isJsonObject(paths) ? mapped(paths, pathOf) : undefined,
    components: defined({
      schemas: isJsonObject(definitions) ? mapped(definitions, schemaOf) : undefined,
      responses: isJsonObject(responses)
        ? mapped(responses, (response) => responseOf(response, textsOf(document['produces'])))
        : undefined,
      securitySchemes: isJsonObject(securityDefinitions)
        ? mapped(securityDefinitions, securitySchemeOf)
        : undefined,
    }),
  })
}

function pathOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const operations = methods.map((method): [string, JsonValue | undefined] => [
    method,
    isJsonObject(value[method]) ? operationOf(value[method]) : undefined,
  ])
  const { $ref, parameters } = value
  return defined({
    $ref,
    ...Object.fromEntries(operations),
    parameters: Array.isArray(parameters) ? parameters.map(parameterOf) : undefined,
    ...extensionsOf(value),
  })
}

function operationOf(operation: JsonObject): JsonObject {
  const { tags, summary, description, externalDocs, operationId, deprecated } = operation
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : []
  const body = parameters.find(isBody)
  const others = parameters.filter((parameter) => !isBody(parameter))
  const produced = textsOf(operation['produces'])
  const responses = operation['responses']
  return defined({
    tags,
    summary,
    description,
    externalDocs,
    operationId,
    parameters: others.length === 0 ? undefined : others.map(parameterOf),
    requestBody: body === undefined ? undefined : requestBodyOf(body, operation['consumes']),
    responses: isJsonObject(responses)
      ? mapped(responses, (response) => responseOf(response, produced))
      : {},
    deprecated,
    ...extensionsOf(operation),
  })
}

function isBody(parameter: JsonValue): parameter is JsonObject {
  return (
    isJsonObject(parameter) && parameter['name'] === 'body' && parameter['schema'] !== undefined
  )
}

function requestBodyOf({ schema }: JsonObject, consumes: JsonValue | undefined): JsonObject {
  return defined({ content: contentOf(schema, textsOf(consumes)) })
}

/** The same schema for every media type; without any type there is no place for it. */
function contentOf(
  schema: JsonValue | undefined,
  types: readonly string[] | undefined,
): JsonObject | undefined {
  if (schema === undefined || types === undefined || types.length === 0) return undefined
  return Object.fromEntries(types.map((type) => [type, { schema: schemaOf(schema) }]))
}

function responseOf(value: JsonValue, produces: readonly string[] | undefined): JsonValue {
  if (!isJsonObject(value)) return value
  const { $ref, description, schema } = value
  if (typeof $ref === 'string') {
    return { $ref: $ref.replace('#/responses/', '#/components/responses/') }
  }
  return defined({ description, content: contentOf(schema, produces), ...extensionsOf(value) })
}

function parameterOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const { $ref, name, in: place, description, required, allowEmptyValue, schema } = value
  if (typeof $ref === 'string') {
    return { $ref: $ref.replace('#/parameters/', '#/components/parameters/') }
  }
  const { type, format, uniqueItems } = value
  return defined({
    name,
    in: place,
    description,
    required,
    allowEmptyValue,
    schema: schema === undefined ? defined({ type, format, uniqueItems }) : schemaOf(schema),
    ...extensionsOf(value),
  })
}

function securitySchemeOf(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const { type, description, name, in: place, flow, authorizationUrl, tokenUrl, scopes } = value
  const flows =
    typeof flow === 'string'
      ? { [flow]: defined({ authorizationUrl, tokenUrl, scopes }) }
      : undefined
  return defined({ type, description, name, in: place, flows, ...extensionsOf(value) })
}

/** References get the new place of schemas; one with siblings is put into an `allOf`. */
function schemaOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(schemaOf)
  if (!isJsonObject(value)) return value
  const { $ref, ...rest } = value
  const { properties, items, additionalProperties, additionalItems } = rest
  const converted = defined({
    ...rest,
    properties: isJsonObject(properties) ? mapped(properties, schemaOf) : properties,
    items: items === undefined ? undefined : schemaOf(items),
    additionalProperties:
      additionalProperties === undefined ? undefined : schemaOf(additionalProperties),
    additionalItems: additionalItems === undefined ? undefined : schemaOf(additionalItems),
  })
  if (typeof $ref !== 'string') return converted
  const reference = { $ref: $ref.replace('#/definitions/', '#/components/schemas/') }
  return Object.keys(converted).length === 0 ? reference : { ...converted, allOf: [reference] }
}

function mapped(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  const sorted = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    sorted.map(([name, value]) => [name, name.startsWith('x-') ? value : change(value)]),
  )
}

function extensionsOf(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith('x-')))
}

function textsOf(value: JsonValue | undefined): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}

function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, JsonValue] => field[1] !== undefined),
  )
}
